// What is charged, by kind, in minor units. A kind that is not here is unpriced: a no-show, a
// message, a decision. A charge freezes the amount of its day.

type Kind = 'video_visit'
type Price = { readonly amount: number; readonly currency: string }

const prices: Readonly<Record<Kind, Price>> = {
  video_visit: { amount: 4900, currency: 'USD' },
}

export const priceOf = (kind: Kind): Price => prices[kind]
