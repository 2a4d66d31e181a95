// The site API's versions, newest first. A breaking change adds a version and sets the previous
// version's deprecation and end dates; http/versions.ts converts requests and responses.

type SiteVersion = {
  /** `YYYY-MM-DD`, as in API-Version. */
  readonly version: string
  /** When the version is deprecated and when it ends, in ISO 8601. */
  readonly ends?: { readonly deprecated: string; readonly sunset: string }
}

export type SiteVersions = readonly [current: SiteVersion, ...earlier: SiteVersion[]]

export const siteVersions: SiteVersions = [{ version: '2026-08-23' }]

/** The version for requests that pin none. */
export const siteVersion = siteVersions[0].version

/** How long a version is served after its successor was published. */
export const sunsetDaysMin = 90
