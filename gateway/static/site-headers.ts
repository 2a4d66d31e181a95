import { contentSignal } from '#content/content-signal.ts'
import { siteLimits } from '#contract/limits.ts'
import { siteVersion } from '#contract/versions.ts'
import { constantHeaders } from '#http/headers.ts'

/**
 * Every site file's headers. The policy is the same as the endpoints'. Anyone may cache a file, so
 * it has no quota headers.
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
