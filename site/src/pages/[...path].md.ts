import { everyPage } from '../every-page.ts'
import { twinOf } from '../render/twin.ts'

type Props = { props: { twin: string } }

/** The markdown twin of every page. */
export function getStaticPaths() {
  return everyPage().map(({ path, twin }) => ({
    params: { path: twinOf(path).slice(1, -'.md'.length) },
    props: { twin },
  }))
}

export const GET = ({ props }: Props) => new Response(props.twin)
