import { posts } from '../../catalog.ts'
import { cataloguedArticle } from '../../machine/published.ts'

/** What the gateway's list of articles and its tools read on start. */
export function GET() {
  return new Response(`${JSON.stringify(posts().map(cataloguedArticle))}\n`)
}
