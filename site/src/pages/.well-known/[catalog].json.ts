import { skills } from '../../catalog.ts'
import { everyPage } from '../../machine/every-page.ts'
import { newest } from '../../catalog.ts'
import { aiCatalog } from '../../machine/machine.ts'

/** The catalogs by file name: AI Catalog, and ARD, which has its own version. */
const versions = { 'ai-catalog': '0.9', ard: '1.0' } as const

type Params = { readonly catalog: keyof typeof versions }

export const getStaticPaths = () => Object.keys(versions).map(catalog => ({ params: { catalog } }))

export function GET({ params }: { params: Params }) {
  const updated = newest(everyPage().map(page => page.updated))
  return new Response(
    `${JSON.stringify(aiCatalog(skills(), updated, versions[params.catalog]), null, 2)}\n`,
  )
}
