import { everyPage } from '../machine/every-page.ts'
import { sitemap } from '../machine/sitemap.ts'

export const GET = () => new Response(sitemap(everyPage()))
