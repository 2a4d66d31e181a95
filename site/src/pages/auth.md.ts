import { authMd } from '../render/machine.ts'

export const GET = () => new Response(authMd())
