import { siteContract } from '../render/site-contract.ts'

export const GET = () => new Response(`${JSON.stringify(siteContract(), null, 2)}\n`)
