import { posts } from '../../catalog.ts'
import { address } from '../../render/twin.ts'

/** What the gateway's list of articles reads at boot. */
export async function GET() {
  const articles = (await posts()).map(post => ({
    slug: post.slug,
    url: address(post.path),
    title: post.title,
    description: post.description,
    published: post.published,
    updated: post.updated,
    author: post.person.name,
    tags: post.tags,
    questions: post.questions,
  }))
  return new Response(`${JSON.stringify(articles)}\n`)
}
