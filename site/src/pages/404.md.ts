import { text } from '../catalog.ts'
import { lostTwin } from '../render/twin.ts'

export const GET = () => new Response(lostTwin(text('404')))
