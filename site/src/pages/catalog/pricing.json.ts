import type { Pricing } from '#content/records.ts'
import { record } from '../../catalog.ts'
import { publishedPricing } from '../../render/published.ts'

/** The prices, in one object. */
export const GET = async () =>
  new Response(`${JSON.stringify(publishedPricing(await record<Pricing>('pricing')))}\n`)
