import { everyPage, searched } from '../../every-page.ts'
import { searchIndex } from '../../render/search.ts'

/** The serialized index behind /ask, loaded with the options of content/search.ts. */
export async function GET() {
  return new Response(searchIndex(searched(await everyPage())))
}
