import type { Overview } from '#content/records.ts'
import { record } from '../../catalog.ts'
import { publishedOverview } from '../../render/published.ts'

/** What the company does, in one object. */
export const GET = async () =>
  new Response(`${JSON.stringify(publishedOverview(await record<Overview>('overview')))}\n`)
