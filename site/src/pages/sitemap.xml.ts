import { everyPage } from '../every-page.ts'
import { sitemap } from '../render/sitemap.ts'

export const GET = () => new Response(sitemap(everyPage()))
