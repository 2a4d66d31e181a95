import { card } from '../../machine/tool-servers.ts'

export const GET = card('product')
