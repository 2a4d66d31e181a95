// Prices by kind, in minor units. Kinds that are not listed are free: no-shows, messages and
// decisions. A charge stores the amount, so that later price changes do not affect it.

type Kind = 'video_visit'
type Price = { readonly amount: number; readonly currency: string }

const prices: Readonly<Record<Kind, Price>> = {
  video_visit: { amount: 4900, currency: 'USD' },
}

export const priceOf = (kind: Kind): Price => prices[kind]
