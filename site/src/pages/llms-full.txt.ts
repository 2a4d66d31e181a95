import { front } from '../catalog.ts'
import { everyPage } from '../every-page.ts'
import { llmsFull } from '../render/llms.ts'

export const GET = () => new Response(llmsFull(front().lead, everyPage()))
