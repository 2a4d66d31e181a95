// How many things wait, as a person reads it.

const countMax = 99

export const countText = (count: number): string =>
  count > countMax ? `${countMax}+` : String(count)
