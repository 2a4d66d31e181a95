import { front, posts, text } from '../catalog.ts'
import { llms } from '../render/llms.ts'

export const GET = async () => new Response(llms(await front(), await text('blog'), await posts()))
