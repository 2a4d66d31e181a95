import { everyPage } from '../every-page.ts'
import { sitemap } from '../render/sitemap.ts'

export const GET = async () => new Response(sitemap(await everyPage()))
