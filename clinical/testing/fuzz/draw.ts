// The random choices of a fuzzer, made by fast-check: the same seed makes the same values on every
// machine, and a failure can be shrunk to its smallest case.

import * as fc from 'fast-check'

export type Draw = {
  /** A whole number from 0 up to, but not including, `bound`. */
  below(bound: number): number
  /** True in `share` of 100 cases. */
  percent(share: number): boolean
  pick<T>(all: readonly T[]): T
}

/** Without fast-check's bias to small numbers: rare values are rare because they are slow. */
const upTo = (max: number) => fc.noBias(fc.nat(max))

/** Values that `make` puts together from random choices. */
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
