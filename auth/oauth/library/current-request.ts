// The request that the library is handling, from the library's own context.

import { type OAuthRequest, requestOf } from '../request.ts'
import { Provider } from './library.ts'

/** The request of the route that the library is running. Absent for calls from pages. */
export function currentRequest(): OAuthRequest | undefined {
  const context = Provider.ctx
  return context === undefined ? undefined : requestOf(context)
}

export const currentRoute = (): string | undefined => Provider.ctx?.oidc.route
