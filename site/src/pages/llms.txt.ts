import { front } from '../catalog.ts'
import { everyPage } from '../machine/every-page.ts'
import { llms } from '../machine/llms.ts'

export const GET = () => new Response(llms(front().lead, everyPage()))
