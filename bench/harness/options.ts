// How much of a benchmark is run. The short form proves that everything works; its times mean
// nothing.

export type Options = Readonly<{
  rounds: number
  /** Duration of one side of one round. */
  seconds: number
  /** The most requests of one side of one round, whatever the time. */
  requestsMax: number
  /** Small sizes, on the database of the tests. */
  isShort: boolean
  /** Includes the sizes that take minutes to fill. */
  isLarge: boolean
}>

const enough = 10_000_000

export const fullRun: Options = {
  rounds: 5,
  seconds: 4,
  requestsMax: enough,
  isShort: false,
  isLarge: false,
}

export const shortRun: Options = {
  rounds: 1,
  seconds: 2,
  requestsMax: 40,
  isShort: true,
  isLarge: false,
}
