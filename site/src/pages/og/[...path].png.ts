import { everyPage, type Listed } from '../../every-page.ts'
import { given } from '../../given.ts'
import { picture } from '../../pictures/picture.ts'
import { pictureOf } from '../../render/picture-path.ts'

export function getStaticPaths() {
  return everyPage().map(page => ({
    params: { path: pictureOf(page.path).slice('/og/'.length, -'.png'.length) },
    props: { page },
  }))
}

export async function GET({ props: { page } }: { props: { page: Listed } }) {
  const words = JSON.stringify([page.kind, page.path, page.title])
  return new Response(await given().keepPicture(words, () => picture(page)))
}
