import { newest, posts, text } from '../catalog.ts'
import { feed } from '../machine/feed.ts'

export function GET() {
  const articles = posts()
  const day = newest(articles.flatMap(({ published, updated }) => [published, updated]))
  return new Response(feed(text('blog'), articles, day))
}
