import { agentCardFile } from '../../machine/agents.ts'

export const GET = agentCardFile
