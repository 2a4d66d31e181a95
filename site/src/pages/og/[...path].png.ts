import { everyPage } from '../../every-page.ts'
import { given } from '../../given.ts'
import { type Drawing, drawingFile, drawingOf, drawingWords } from '../../pictures/drawing.ts'

/** For the preview: a build draws pictures by other hands than those that make its pages. */
export function getStaticPaths() {
  return everyPage().map(page => ({
    params: { path: drawingFile(page).slice('og/'.length, -'.png'.length) },
    props: { drawing: drawingOf(page) },
  }))
}

/** With its fonts, which are opened when there is something to draw. */
async function draw(drawing: Drawing) {
  const { picture } = await import('../../pictures/picture.ts')
  return picture(drawing)
}

export async function GET({ props: { drawing } }: { props: { drawing: Drawing } }) {
  return new Response(await given().keepPicture(drawingWords(drawing), () => draw(drawing)))
}
