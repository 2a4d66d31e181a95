// The types and the current request that the adapter's models share.

import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { ConnectionPool } from '#database/pool.ts'
import type { OAuthRequest } from '../request.ts'
import type { Secrets } from '../secrets.ts'
import type { ResponseTimes } from '../tokens/response-times.ts'
import type { Resources } from '../families.ts'
import { currentRequest } from './current-request.ts'

export type AdapterParts = {
  readonly pool: ConnectionPool
  readonly secrets: Secrets
  readonly resources: Resources
  readonly responseTimes: ResponseTimes
  /** The URL where an authorization step continues. */
  readonly resumeUrl: (interaction: string) => string
}

export type Model = Partial<Adapter>
export type Find = (value: string) => Promise<AdapterPayload | undefined>

/** The current request, for model calls that only the library's routes make. */
export function theRequest(): OAuthRequest {
  const request = currentRequest()
  if (request === undefined) throw new Error('tokens can be written only during a request')
  return request
}
