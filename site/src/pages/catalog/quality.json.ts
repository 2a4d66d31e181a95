import { quality } from '../../every-page.ts'

/** The measured quality of /ask, question by question, for whoever wants to check the page. */
export async function GET() {
  return new Response(`${JSON.stringify(await quality(), null, 1)}\n`)
}
