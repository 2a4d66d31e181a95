import { newest, posts, text } from '../catalog.ts'
import { blogTwin } from '../render/twin.ts'

export async function GET() {
  const articles = await posts()
  const blog = await text('blog')
  const updated = newest([blog.updated, ...articles.map(post => post.updated)])
  return new Response(blogTwin(blog, articles, updated))
}
