// Chance that can be had again: the same seed makes the same requests on every machine.

export type Chance = {
  /** A whole number from 0 up to, and without, `bound`. */
  below(bound: number): number
  /** Whether something of this many in a hundred happens. */
  percent(share: number): boolean
  pick<T>(all: readonly T[]): T
}

/** Mulberry32: 32 bits of state, a few multiplications a number. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return (bits ^ (bits >>> 14)) >>> 0
  }
  const below = (bound: number) => next() % bound
  return {
    below,
    percent: share => below(100) < share,
    pick<T>(all: readonly T[]): T {
      if (all.length === 0) throw new Error('there is nothing to pick from')
      // The bound holds: the index is below the length.
      return all[below(all.length)] as T
    },
  }
}
