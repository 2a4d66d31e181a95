import { skills } from '../../catalog.ts'
import { everyPage } from '../../every-page.ts'
import { newest } from '../../catalog.ts'
import { aiCatalog } from '../../render/machine.ts'

/**
 * The predecessor's path and today's: scanners look at the one, readers of the new text at the
 * other.
 */
export const getStaticPaths = () => ['ai-catalog', 'ard'].map(catalog => ({ params: { catalog } }))

export function GET() {
  const updated = newest(everyPage().map(page => page.updated))
  return new Response(`${JSON.stringify(aiCatalog(skills(), updated), null, 2)}\n`)
}
