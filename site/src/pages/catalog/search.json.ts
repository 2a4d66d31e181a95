import { bodyOf, everyPage } from '../../every-page.ts'
import { searchIndex } from '../../render/search.ts'

/** The serialized index behind /ask, loaded with the options of content/search.ts. */
export async function GET() {
  const pages = await everyPage()
  return new Response(
    searchIndex(pages.map(page => ({ ...page, url: page.path, text: bodyOf(page.twin) }))),
  )
}
