// Versions are a chain of small transforms, each between one version and the one before: a request
// of an earlier version climbs up change by change, and its answer comes down the same way. So a
// surface knows the newest version alone.

export type Change = {
  /** The version that began with this change. */
  readonly version: string
  /** The surface, by the path that it is mounted at. */
  readonly path: string
  /** Parameters of the version before, as this one takes them. */
  readonly query?: (before: URLSearchParams) => URLSearchParams
  /** A JSON body of the version before, as this one takes it. */
  readonly body?: (before: unknown) => unknown
  /** A JSON answer of this version, refusals included, as the one before gave it. */
  readonly answer?: (after: unknown, status: number) => unknown
}

/** There has been one version so far. */
export const siteChanges: readonly Change[] = []

/** The changes since a version at one surface, oldest first. */
export function changesSince(
  version: string,
  path: string,
  all: readonly Change[],
): readonly Change[] {
  if (all.length === 0) return all
  const later = all.filter(change => change.path === path && change.version > version)
  return later.toSorted((one, other) => (one.version < other.version ? -1 : 1))
}

export function climbUrl(url: URL, changes: readonly Change[]): URL {
  const climbed = new URL(url)
  const query = changes.reduce((now, change) => change.query?.(now) ?? now, url.searchParams)
  climbed.search = query.toString()
  return climbed
}

/** What is not JSON is left to the surface, which says so. */
export function climbBody(
  bytes: Uint8Array<ArrayBuffer>,
  changes: readonly Change[],
): Uint8Array<ArrayBuffer> {
  if (changes.every(change => change.body === undefined)) return bytes
  const body = parsed(new TextDecoder().decode(bytes))
  if (body === undefined) return bytes
  const climbed = changes.reduce((now, change) => change.body?.(now) ?? now, body)
  return new TextEncoder().encode(JSON.stringify(climbed))
}

/** Answers that are not JSON, such as events, have no earlier form. */
export async function comeDown(response: Response, changes: readonly Change[]): Promise<Response> {
  const { status, headers } = response
  if (!/^application\/(?:[\w.-]+\+)?json/.test(headers.get('content-type') ?? '')) return response
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
