import { securityTxt } from '../../render/machine.ts'

export const GET = () => new Response(securityTxt())
