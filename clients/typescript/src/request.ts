// Builds a request's URL and headers. An ID can't change which path is requested.

import { isHeaderText } from './credentials.ts'
import { apiVersion, ownHeaders, sdkVersion, slug } from './generated/contract.ts'
import type { ClientOptions, WriteOptions } from './options.ts'
import { runtimeName } from './runtime.ts'

/** A request to send. */
export type Outgoing = {
  readonly method: string
  /** The path template, with parameter names in braces. */
  readonly path: string
  /** The parameters' values, in order. */
  readonly ids?: readonly string[] | undefined
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Whether to return the response unread. */
  readonly isDownload?: boolean
  /** The field, in the response or in each list item, that must equal the last of `ids`. */
  readonly echoes?: string | undefined
  readonly options?: WriteOptions | undefined
}

/** Matches only values that can't change the path. */
const idPattern = /^(?!\.{1,2}$)[^\p{Cc}\p{Z}/\\?#%]+$/u

export function addressOf(baseUrl: string, { path, ids = [], query }: Outgoing): string {
  const values: unknown[] = [...ids]
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values.shift()
    if (typeof value === 'string' && idPattern.test(value)) return encodeURIComponent(value)
    throw new TypeError(`${path} needs an id for {${name}}`)
  })
  const url = new URL(baseUrl + filled)
  // `new URL` would resolve ".." or "\\" to a different path.
  if (baseUrl + filled !== url.origin + url.pathname || /%2e/i.test(filled)) {
    throw new TypeError('The path must look like /v1/cases, without a query.')
  }
  return baseUrl + filled + queryOf(query)
}

function queryOf(query: Readonly<Record<string, unknown>> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  const pairs = given.map(([name, value]): [string, string] => [name, String(value)])
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

export function headersOf(
  call: Outgoing,
  key: string | undefined,
  client: ClientOptions,
): Record<string, string> {
  const { organization, headers = {} } = call.options ?? {}
  for (const text of [organization, key]) {
    if (text === undefined || isHeaderText(text)) continue
    throw new TypeError('organization and idempotencyKey must be visible ASCII without spaces.')
  }
  for (const name of Object.keys(headers)) {
    if (!ownHeaders.includes(name.toLowerCase())) continue
    throw new TypeError(`headers must not have ${name}: the client or an option sets it`)
  }
  return {
    ...headers,
    accept: 'application/json',
    'user-agent': agentOf(client),
    'api-version': client.apiVersion ?? apiVersion,
    ...(organization === undefined ? {} : { 'service-organization': organization }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
    ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...call.headers,
  }
}

function agentOf({ appInfo }: ClientOptions): string {
  const app = appInfo && [`${appInfo.name}/${appInfo.version ?? '0'}`, appInfo.url ?? '']
  return [`${slug}-sdk/${sdkVersion}`, runtimeName(), ...(app ?? [])].filter(Boolean).join(' ')
}
