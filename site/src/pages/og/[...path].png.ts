import { everyPage } from '../../machine/every-page.ts'
import { type Drawing, drawingFile, drawingOf } from '../../pictures/drawing.ts'
import { picture } from '../../pictures/picture.ts'
import { cacheKeyOf } from '../../render/cache-key.ts'

/** The picture shown for a link to a page. */
export const getStaticPaths = () =>
  everyPage().map(page => ({
    params: { path: drawingFile(page).slice('og/'.length, -'.png'.length) },
    props: { drawing: drawingOf(page) },
    cacheKey: cacheKeyOf(drawingOf(page)),
  }))

export const GET = async ({ props: { drawing } }: { props: { drawing: Drawing } }) =>
  new Response(await picture(drawing))
