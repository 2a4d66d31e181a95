import { posts, text } from '../catalog.ts'
import { lostTwin } from '../render/twin.ts'

export const GET = async () => new Response(lostTwin(await text('404'), await posts()))
