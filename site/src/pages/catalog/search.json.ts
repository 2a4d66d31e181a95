import { front, posts } from '../../catalog.ts'
import { searchIndex } from '../../render/search.ts'

/** The serialized index behind /ask, loaded with the options of content/search.ts. */
export async function GET() {
  const home = await front()
  const { loop, not_included: not, doors, start } = home
  const said = [
    home.lead,
    ...doors.map(door => `${door.who} ${door.text}`),
    ...loop.steps.map(step => `${step.heading} ${step.text}`),
    ...not.items.map(item => `${item.what} ${item.why}`),
    start.text,
  ]
  const articles = (await posts()).map(post => ({ ...post, url: post.path, text: post.body }))
  const first = { ...home, url: '/', questions: [], text: said.join('\n') }
  return new Response(searchIndex([first, ...articles]))
}
