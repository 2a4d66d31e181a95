import { apiCatalog } from '../../machine/machine.ts'

export const GET = () => new Response(`${JSON.stringify(apiCatalog(), null, 2)}\n`)
