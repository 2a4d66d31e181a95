import { card } from '../../render/tool-servers.ts'

export const GET = card('docs')
