// Selects a request's version, announces the end of old versions (RFC 9745, RFC 8594) and converts
// between versions. Each change converts between a version and the one before it: an older request
// is upgraded change by change, and its response is downgraded in reverse order. So endpoints
// implement only the newest version.
import { Problem } from '#contract/problems.ts'
import { isJsonType } from './json-body.ts'

/** Newest first. */
export type Versions = readonly [Version, ...Version[]]
type Version = {
  readonly version: string
  readonly ends?: { readonly deprecated: string; readonly sunset: string }
}

export type Change = {
  /** The version that introduced this change. */
  readonly version: string
  /** The endpoint's path. */
  readonly path: string
  /** Converts the previous version's parameters to this version. */
  readonly query?: (before: URLSearchParams) => URLSearchParams
  /** Converts a JSON body from the previous version to this version. */
  readonly body?: (before: unknown) => unknown
  /** Converts this version's JSON response, including problems, to the previous version. */
  readonly answer?: (after: unknown, status: number) => unknown
}

/** The pinned version, or the newest; a problem if the pinned one isn't served. */
export function pinnedVersion(header: string | null, versions: Versions): string | Problem {
  if (header === null) return versions[0].version
  const wanted = header.trim()
  if (versions.some(({ version }) => version === wanted)) return wanted
  return new Problem('unsupported_api_version', {
    detail: 'API-Version must be one of supported_versions, or omitted.',
    members: { supported_versions: versions.map(({ version }) => version) },
  })
}

const none: readonly (readonly [name: string, value: string])[] = []

/** The headers of a response in a deprecated version. */
export function deprecationHeaders(served: string, versions: Versions): typeof none {
  const ends = versions.find(({ version }) => version === served)?.ends
  if (ends === undefined) return none
  return [
    ['deprecation', `@${Date.parse(ends.deprecated) / 1000}`],
    ['sunset', new Date(ends.sunset).toUTCString()],
    ['link', '</changelog>; rel="deprecation"; type="text/html"'],
    ['link', '</changelog>; rel="sunset"; type="text/html"'],
    ['link', '</openapi.json>; rel="successor-version"; type="application/json"'],
  ]
}

/** The changes since a version at one endpoint, oldest first. */
export function changesSince(
  version: string,
  path: string,
  all: readonly Change[],
): readonly Change[] {
  if (all.length === 0) return all
  const later = all.filter(change => change.path === path && change.version > version)
  return later.toSorted((one, other) => (one.version < other.version ? -1 : 1))
}

export function upgradeUrl(url: URL, changes: readonly Change[]): URL {
  const upgraded = new URL(url)
  const query = changes.reduce((now, change) => change.query?.(now) ?? now, url.searchParams)
  upgraded.search = query.toString()
  return upgraded
}

/** A body that isn't JSON stays unchanged, and the endpoint refuses it. */
export function upgradeBody(
  bytes: Uint8Array<ArrayBuffer>,
  changes: readonly Change[],
): Uint8Array<ArrayBuffer> {
  if (changes.every(change => change.body === undefined)) return bytes
  const body = parsed(new TextDecoder().decode(bytes))
  if (body === undefined) return bytes
  const upgraded = changes.reduce((now, change) => change.body?.(now) ?? now, body)
  return new TextEncoder().encode(JSON.stringify(upgraded))
}

/** Responses that aren't JSON, such as event streams, are the same in every version. */
export async function downgradeAnswer(
  response: Response,
  changes: readonly Change[],
): Promise<Response> {
  const { status, headers } = response
  if (!isJsonType(headers.get('content-type'))) return response
  const text = await response.text()
  const answer = parsed(text)
  if (answer === undefined) return new Response(text, { status, headers })
  const earlier = changes.toReversed()
  const down = earlier.reduce((now, change) => change.answer?.(now, status) ?? now, answer)
  headers.delete('content-length')
  return new Response(JSON.stringify(down), { status, headers })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
