import { siteContract } from '../machine/site-contract.ts'

export const GET = () => new Response(`${JSON.stringify(siteContract(), null, 2)}\n`)
