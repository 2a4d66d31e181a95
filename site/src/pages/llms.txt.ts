import { front } from '../catalog.ts'
import { everyPage } from '../every-page.ts'
import { llms } from '../render/llms.ts'

export const GET = async () => new Response(llms((await front()).lead, await everyPage()))
