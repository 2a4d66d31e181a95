// Decides which endpoints accept requests from pages on any origin. An agent may run in a page: it
// registers, exchanges its code and revokes its tokens from there. These endpoints read no cookie,
// so the browser adds no authority the page lacks, and no header allows credentials. The other
// endpoints don't accept such requests: a person opens the authorization page, a device doesn't run
// in a page, and introspection is for servers.

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

/** Replaces the library's own headers, which depend on the client. */
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
