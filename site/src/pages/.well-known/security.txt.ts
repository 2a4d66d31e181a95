import { securityTxt } from '../../machine/machine.ts'

export const GET = () => new Response(securityTxt())
