// The dates of the site's API, newest first. A breaking change adds a date, and says of the one
// before when it was superseded and when it ends; what the change does to a request and to an
// answer stands in http/version-changes.ts.

export type SiteVersion = {
  /** `YYYY-MM-DD`, as API-Version spells it. */
  readonly version: string
  /** The moments, in ISO 8601, since when it is deprecated and after which it is gone. */
  readonly ends?: { readonly deprecated: string; readonly sunset: string }
}

export type SiteVersions = readonly [current: SiteVersion, ...earlier: SiteVersion[]]

export const siteVersions: SiteVersions = [{ version: '2026-08-23' }]

/** What answers when nothing is pinned. */
export const siteVersion = siteVersions[0].version

/** How long a version is served after its successor came. */
export const sunsetDaysMin = 90
