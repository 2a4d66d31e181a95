import { scalarName, scalarText } from '../../reference/scalar.ts'

/** The script of the interactive reference, the only page that needs one of this size. */
export const getStaticPaths = () => [{ params: { script: scalarName } }]

export const GET = () => new Response(scalarText)
