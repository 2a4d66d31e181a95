import { acpFile } from '../../render/agents.ts'

export const GET = acpFile
