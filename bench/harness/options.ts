// How much of a bench is run. The short form proves that everything works; it judges no time.

export type Options = Readonly<{
  rounds: number
  /** How long one side of one round sends. */
  seconds: number
  /** The most that one side of one round sends, whatever the time. */
  requestsMax: number
  /** Tiny sizes, on the database of the tests. */
  isShort: boolean
  /** Also the sizes that take minutes to fill. */
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
