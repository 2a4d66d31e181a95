import { everyPage } from '../every-page.ts'
import { sitemapMarkdown } from '../render/llms.ts'

export const GET = () => new Response(sitemapMarkdown(everyPage()))
