/**
 * What every answer of the content side says, whether it comes from a file or from a handler. The
 * policy names the quota of the dynamic endpoints; a file may be cached by anyone, so it carries no
 * count.
 */
export const siteVersion = '2026-08-23'

export const siteHeaders: readonly (readonly [name: string, value: string])[] = [
  ['api-version', siteVersion],
  ['ratelimit-policy', '"default";q=300;w=60'],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'strict-origin-when-cross-origin'],
]
