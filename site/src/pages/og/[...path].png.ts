import { everyPage, type Listed } from '../../every-page.ts'
import { picture } from '../../pictures/picture.ts'
import { kept } from '../../render/kept.ts'
import { pictureOf } from '../../render/picture-path.ts'

export async function getStaticPaths() {
  return (await everyPage()).map(page => ({
    params: { path: pictureOf(page.path).slice('/og/'.length, -'.png'.length) },
    props: { page },
  }))
}

export async function GET({ props: { page } }: { props: { page: Listed } }) {
  const words = JSON.stringify(['picture', page.kind, page.path, page.title])
  return new Response(
    await kept(
      words,
      file => file.bytes(),
      () => picture(page),
    ),
  )
}
