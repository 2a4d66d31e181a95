import { acpFile } from '../../machine/agents.ts'

export const GET = acpFile
