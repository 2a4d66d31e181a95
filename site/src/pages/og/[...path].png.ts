import { everyPage, type Listed } from '../../every-page.ts'
import { given } from '../../given.ts'
import { pictureOf } from '../../render/picture-path.ts'

export function getStaticPaths() {
  return everyPage().map(page => ({
    params: { path: pictureOf(page.path).slice('/og/'.length, -'.png'.length) },
    props: { page },
  }))
}

/** With its fonts, which are opened when there is something to draw. */
async function draw(page: Listed) {
  const { picture } = await import('../../pictures/picture.ts')
  return picture(page)
}

export async function GET({ props: { page } }: { props: { page: Listed } }) {
  const words = JSON.stringify([page.kind, page.path, page.title])
  return new Response(await given().keepPicture(words, () => draw(page)))
}
