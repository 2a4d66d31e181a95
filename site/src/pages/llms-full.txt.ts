import { front } from '../catalog.ts'
import { everyPage } from '../machine/every-page.ts'
import { llmsFull } from '../machine/llms.ts'

export const GET = () => new Response(llmsFull(front().lead, everyPage()))
