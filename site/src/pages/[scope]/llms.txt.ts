import { everyPage } from '../../machine/every-page.ts'
import { scopedLlms, scopes } from '../../machine/llms.ts'

type Scope = (typeof scopes)[number]

export const getStaticPaths = () =>
  scopes.map(scope => ({ params: { scope: scope.name }, props: { scope } }))

export const GET = ({ props }: { props: { scope: Scope } }) =>
  new Response(scopedLlms(props.scope, everyPage()))
