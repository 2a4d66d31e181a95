import type { Overview } from '#content/records.ts'
import { record } from '../../catalog.ts'
import { publishedOverview } from '../../machine/published.ts'

/** The company overview as one object. */
export const GET = () =>
  new Response(`${JSON.stringify(publishedOverview(record<Overview>('overview')))}\n`)
