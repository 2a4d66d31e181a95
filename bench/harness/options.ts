// How much of a benchmark to run. The short form only checks that everything works; its times are
// meaningless.

export type Options = Readonly<{
  rounds: number
  /** Duration of each side in a round. */
  seconds: number
  /** The maximum number of requests for each side in a round, regardless of the duration. */
  requestsMax: number
  /** Small sizes, on the test database. */
  isShort: boolean
  /** Includes sizes that take minutes to fill. */
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
