import { siteLimits } from '#contract/limits.ts'
import { siteVersion } from '#contract/versions.ts'

/**
 * What every answer of the content side says, whether it comes from a file or from a handler. The
 * policy names the quota of the dynamic endpoints; a file may be cached by anyone, so it carries no
 * count.
 */
export const siteHeaders: readonly (readonly [name: string, value: string])[] = [
  ['api-version', siteVersion],
  ['ratelimit-policy', `"default";q=${siteLimits.ratePerWindow};w=${siteLimits.rateWindowSeconds}`],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'strict-origin-when-cross-origin'],
]
