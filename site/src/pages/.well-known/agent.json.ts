import { agentCardFile } from '../../render/agents.ts'

export const GET = agentCardFile
