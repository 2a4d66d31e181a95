import { scalarName, scalarText } from '../../reference/scalar.ts'

/** The one program of the site, for the one page that cannot do without. */
export const getStaticPaths = () => [{ params: { script: scalarName } }]

export const GET = () => new Response(scalarText)
