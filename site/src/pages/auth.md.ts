import { authMd } from '../render/agents.ts'

export const GET = () => new Response(authMd())
