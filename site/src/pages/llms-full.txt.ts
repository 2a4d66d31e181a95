import { front } from '../catalog.ts'
import { bodyOf, everyPage } from '../every-page.ts'
import { llmsFull } from '../render/llms.ts'

export const GET = async () =>
  new Response(llmsFull((await front()).lead, await everyPage(), bodyOf))
