import { front, newest, posts, text } from '../catalog.ts'
import { sitemap } from '../render/sitemap.ts'

export async function GET() {
  const articles = await posts()
  const blog = await text('blog')
  const updated = newest([blog.updated, ...articles.map(post => post.updated)])
  const home = { path: '/', updated: (await front()).updated }
  return new Response(sitemap([home, { path: '/blog', updated }, ...articles]))
}
