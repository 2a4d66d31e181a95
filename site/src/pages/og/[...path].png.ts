import { everyPage, type Listed } from '../../every-page.ts'
import { picture } from '../../pictures/picture.ts'
import { pictureOf } from '../../render/picture-path.ts'

export async function getStaticPaths() {
  return (await everyPage()).map(page => ({
    params: { path: pictureOf(page.path).slice('/og/'.length, -'.png'.length) },
    props: { page },
  }))
}

export const GET = async ({ props }: { props: { page: Listed } }) =>
  new Response(await picture(props.page))
