import { quality } from '../../machine/every-page.ts'

/** The measured quality of /ask, question by question. */
export function GET() {
  return new Response(`${JSON.stringify(quality(), null, 1)}\n`)
}
