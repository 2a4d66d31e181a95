import { contentSignal } from '#content/content-signal.ts'
import { siteLimits } from '#contract/limits.ts'
import { siteVersion } from '#contract/versions.ts'
import { constantHeaders } from '#http/headers.ts'

/**
 * The headers of every file of the site. The policy is that of the endpoints; a file may be cached
 * by anyone, so it carries no count.
 */
export const siteHeaders: ReturnType<typeof constantHeaders> = [
  ['content-signal', contentSignal],
  ...constantHeaders('file', {
    version: siteVersion,
    policy: {
      policy: 'default',
      quota: siteLimits.ratePerWindow,
      window: siteLimits.rateWindowSeconds,
    },
  }),
]
