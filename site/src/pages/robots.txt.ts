import { robots } from '../machine/robots.ts'

export const GET = () => new Response(robots())
