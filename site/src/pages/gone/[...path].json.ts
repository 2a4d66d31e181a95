import type { Gone } from '#content/records.ts'
import { gonePages } from '../../catalog.ts'
import { goneProblem } from '../../machine/page-markdown.ts'

export const getStaticPaths = () =>
  gonePages().map(page => ({ params: { path: page.path.slice(1) }, props: { page } }))

export const GET = ({ props }: { props: { page: Gone } }) =>
  new Response(`${JSON.stringify(goneProblem(props.page), null, 2)}\n`)
