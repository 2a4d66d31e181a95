import { everyPage } from '../machine/every-page.ts'
import { sitemapMarkdown } from '../machine/llms.ts'

export const GET = () => new Response(sitemapMarkdown(everyPage()))
