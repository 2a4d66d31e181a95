import { newest, posts, text } from '../catalog.ts'
import { feed } from '../render/feed.ts'

export async function GET() {
  const articles = await posts()
  const day = newest(articles.map(post => post.published))
  return new Response(feed(await text('blog'), articles, day))
}
