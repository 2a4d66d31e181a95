import { front } from '../catalog.ts'
import { everyPage } from '../every-page.ts'
import { llms } from '../render/llms.ts'

export const GET = () => new Response(llms(front().lead, everyPage()))
