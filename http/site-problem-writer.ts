import { type SiteProblemCode, siteProblems } from '#contract/site/problems.ts'
import { siteHeaders } from '#gateway/static/site-headers.ts'

export type SiteProblem = {
  readonly detail: string
  /** What to do next, as an instruction; without it, what the code always says. */
  readonly hint?: string
  /** Further members of the body. */
  readonly members?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/** RFC 9457. The type is relative to the request, so that no host is written down here. */
export function siteProblem(code: SiteProblemCode, problem: SiteProblem): Response {
  const { status, title, hint } = siteProblems[code]
  const { detail, members } = problem
  const fixed = { type: `/problems/${code}`, title, status, detail, code }
  const body = { ...fixed, hint: problem.hint ?? hint, ...members }
  const headers = new Headers(siteHeaders.map(([name, value]) => [name, value]))
  headers.set('content-type', 'application/problem+json')
  headers.set('cache-control', 'no-store')
  headers.set('access-control-allow-origin', '*')
  for (const [name, value] of Object.entries(problem.headers ?? {})) headers.set(name, value)
  return new Response(JSON.stringify(body), { status, headers })
}
