import { agentsMd } from '../render/machine.ts'

export const GET = () => new Response(agentsMd())
