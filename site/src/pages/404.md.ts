import { text } from '../catalog.ts'
import { notFoundMarkdown } from '../render/markdown-version.ts'

export const GET = () => new Response(notFoundMarkdown(text('404')))
