// Which endpoints a page of any origin may call. An agent may run in a page: it registers,
// exchanges its code and revokes its tokens from there. These endpoints read no cookie, so the
// browser sends nothing that the page doesn't have, and no header allows it to. The authorization
// itself is a page that a person opens, a device isn't a page, and introspection is for servers.

import { oauthPaths as paths } from '#contract/oauth.ts'
import { preflightHeaders } from '#http/headers.ts'
import type { AnswerContext } from './context.ts'
import { methodOf } from './endpoints.ts'

const open: ReadonlySet<string> = new Set([
  paths.metadata,
  paths.registration,
  paths.token,
  paths.revocation,
])

const headers = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Request-Id, Retry-After, WWW-Authenticate',
  'cross-origin-resource-policy': 'cross-origin',
}

type CorsContext = Pick<AnswerContext, 'path' | 'response' | 'set'>

/** The library sets headers of its own, for origins that it would ask each client about. */
export function setCors(context: CorsContext): void {
  if (open.has(context.path)) {
    context.set(headers)
    return
  }
  for (const name of Object.keys(context.response.headers)) {
    if (name.toLowerCase().startsWith('access-control-')) context.response.remove(name)
  }
}

export function answerPreflight(context: AnswerContext): true {
  const { path } = context
  const allowed = `${methodOf(path)}, OPTIONS`
  context.set(open.has(path) ? preflightHeaders(allowed) : { allow: allowed })
  context.status = 204
  return true
}
