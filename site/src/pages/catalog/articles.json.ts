import type { Person } from '#content/schema.ts'
import { posts, record } from '../../catalog.ts'
import { cataloguedArticle } from '../../render/published.ts'

/** What the gateway's list of articles and its tools read at their start. */
export function GET() {
  const people = record<Record<string, Person>>('people')
  const articles = posts().map(post =>
    cataloguedArticle(
      post,
      post.reviewed_by === undefined ? null : (people[post.reviewed_by]?.name ?? null),
    ),
  )
  return new Response(`${JSON.stringify(articles)}\n`)
}
