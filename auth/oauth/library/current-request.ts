// The request that the library is answering: it keeps what it has of one by itself.

import { type OAuthRequest, requestOf } from '../request.ts'
import { Provider } from './library.ts'

/** The request of the route the library is running. Absent for a page's calls. */
export function currentRequest(): OAuthRequest | undefined {
  const context = Provider.ctx
  return context === undefined ? undefined : requestOf(context)
}

export const currentRoute = (): string | undefined => Provider.ctx?.oidc.route
