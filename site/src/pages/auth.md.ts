import { authMd } from '../machine/agents.ts'

export const GET = () => new Response(authMd())
