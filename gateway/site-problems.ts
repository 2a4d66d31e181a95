import { siteHeaders } from './site-headers.ts'

/**
 * The refusals of the content API. `title` is fixed by the code; `detail` tells this one occasion.
 */
const problems = {
  invalid_request: { status: 400, title: 'The request is not valid' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'Send JSON' },
  internal_error: { status: 500, title: 'Something failed on our side' },
} as const

export type SiteProblemCode = keyof typeof problems

export type SiteProblem = {
  readonly detail: string
  /** What to do next, as an instruction. */
  readonly hint: string
  /** Further members of the body. */
  readonly members?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/** RFC 9457. The type is relative to the request, so that no host is written down here. */
export function siteProblem(code: SiteProblemCode, problem: SiteProblem): Response {
  const { status, title } = problems[code]
  const { detail, hint, members } = problem
  const body = { type: `/problems/${code}`, title, status, detail, code, hint, ...members }
  const headers = new Headers(siteHeaders.map(([name, value]) => [name, value]))
  headers.set('content-type', 'application/problem+json')
  headers.set('cache-control', 'no-store')
  headers.set('access-control-allow-origin', '*')
  for (const [name, value] of Object.entries(problem.headers ?? {})) headers.set(name, value)
  return new Response(JSON.stringify(body), { status, headers })
}
