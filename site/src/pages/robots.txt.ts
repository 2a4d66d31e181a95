import { robots } from '../render/robots.ts'

export const GET = () => new Response(robots())
