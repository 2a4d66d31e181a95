import { searchJson } from '../../machine/every-page.ts'

/** The serialized index behind /ask, loaded with the options in content/ranking/terms.ts. */
export const GET = () => new Response(searchJson())
