// Which version serves a call, and what is said of one that ends (RFC 9745, RFC 8594).
import type { SiteVersions } from '#contract/versions.ts'
import { refuse, type Refusal } from './refusals.ts'

/** The pinned version, or the newest; the refusal of a date that there is not. */
export function pinned(asked: string | null, versions: SiteVersions): string | Refusal {
  if (asked === null) return versions[0].version
  const wanted = asked.trim()
  if (versions.some(({ version }) => version === wanted)) return wanted
  return refuse('unsupported_api_version', {
    detail: 'API-Version must be one of supported_versions, or omitted.',
    members: { supported_versions: versions.map(({ version }) => version) },
  })
}

/** The headers of an answer in a version that ends. */
export function endsOf(
  served: string,
  versions: SiteVersions,
): readonly (readonly [name: string, value: string])[] {
  const ends = versions.find(({ version }) => version === served)?.ends
  if (ends === undefined) return []
  return [
    ['deprecation', `@${Date.parse(ends.deprecated) / 1000}`],
    ['sunset', new Date(ends.sunset).toUTCString()],
    ['link', '</changelog>; rel="deprecation"; type="text/html"'],
    ['link', '</changelog>; rel="sunset"; type="text/html"'],
    ['link', '</openapi.json>; rel="successor-version"; type="application/json"'],
  ]
}
