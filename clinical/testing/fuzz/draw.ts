// A fuzzer's random choices, made by fast-check: the same seed generates the same values on every
// machine, and a failure can be shrunk to its smallest case.

import * as fc from 'fast-check'

export type Draw = {
  /** Returns a whole number from 0 up to, but not including, `bound`. */
  below(bound: number): number
  /** Returns true in `share` out of 100 cases. */
  percent(share: number): boolean
  pick<T>(all: readonly T[]): T
}

/** Avoids fast-check's bias toward small numbers: rare values are rare because they're slow. */
const upTo = (max: number) => fc.noBias(fc.nat(max))

/** Generates values that `make` assembles from random choices. */
export const drawn = <T>(make: (draw: Draw) => T): fc.Arbitrary<T> =>
  fc.gen().map(generate => {
    const below = (bound: number) => generate(upTo, bound - 1)
    return make({
      below,
      percent: share => below(100) < share,
      pick<Item>(all: readonly Item[]): Item {
        if (all.length === 0) throw new Error('there is nothing to pick from')
        // The index is below the length.
        return all[below(all.length)] as Item
      },
    })
  })
