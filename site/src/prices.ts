import type { Pricing } from '#content/records.ts'

/** A price as text; an unpublished price is never estimated. */
export function priceOf(price: string | null, currency: string, interval: string | null): string {
  if (price === null) return 'by quote'
  if (Number(price) === 0) return 'free'
  return `${price} ${currency}${interval === null ? '' : ` a ${interval}`}`
}

/** A plan's call to action. */
export const planAction = ({ price }: Pricing['plans'][number]) =>
  price === null ? 'Book a call' : 'Start free'
