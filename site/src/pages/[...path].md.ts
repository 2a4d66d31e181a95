import { everyPage } from '../machine/every-page.ts'
import { cacheKeyOf } from '../render/cache-key.ts'
import { markdownPath } from '../machine/markdown-version.ts'

type Props = { props: { markdown: string } }

/** Every page's Markdown version. */
export function getStaticPaths() {
  return everyPage().map(({ path, markdown }) => ({
    params: { path: markdownPath(path).slice(1, -'.md'.length) },
    props: { markdown },
    cacheKey: cacheKeyOf({ markdown }),
  }))
}

export const GET = ({ props }: Props) => new Response(props.markdown)
