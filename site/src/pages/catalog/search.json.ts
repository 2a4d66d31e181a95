import { searchJson } from '../../every-page.ts'

/** The serialized index behind /ask, loaded with the options of content/search.ts. */
export const GET = async () => new Response(await searchJson())
