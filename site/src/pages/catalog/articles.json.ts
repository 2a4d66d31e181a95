import { posts } from '../../catalog.ts'
import { cataloguedArticle } from '../../machine/published.ts'

/** The articles that the gateway's list and tools read on start. */
export function GET() {
  return new Response(`${JSON.stringify(posts().map(cataloguedArticle))}\n`)
}
