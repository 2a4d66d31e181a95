import type { Pricing } from '#content/records.ts'
import { record } from '../../catalog.ts'
import { publishedPricing } from '../../machine/published.ts'

/** The prices as one object. */
export const GET = () =>
  new Response(`${JSON.stringify(publishedPricing(record<Pricing>('pricing')))}\n`)
