import { agentsMd } from '../machine/machine.ts'

export const GET = () => new Response(agentsMd())
