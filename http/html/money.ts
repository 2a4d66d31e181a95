/** Formats an amount in minor units, such as cents. */
export function moneyText(minor: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  return format.format(majorUnits(minor, currency))
}

export const majorUnits = (minor: number, currency: string): number =>
  minor / 10 ** (fractionOf(currency) ?? 2)

const fractionOf = (currency: string) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).resolvedOptions()
    .maximumFractionDigits
