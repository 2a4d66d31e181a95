import { text } from '../catalog.ts'
import { notFoundMarkdown } from '../machine/markdown-version.ts'

export const GET = () => new Response(notFoundMarkdown(text('404')))
