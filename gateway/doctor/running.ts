// Self-reports of the gateway at BASE_URL, such as refused writes and certificate expirations.
import { dayMilliseconds } from '#contract/moments.ts'
import { now } from '#database/clock.ts'
import type { Config } from '../settings/config.ts'
import { certificateDays, readCertificates } from '../status/certificates.ts'
import { fault, type Finding, ok, warning } from './finding.ts'

const milliseconds = 5000

type Health = Record<string, { status: string; output?: string }[]>

/** Returns no findings if nothing is served at BASE_URL yet, or if another program answers
 *  there. */
export async function healthFindings({ baseUrl }: Config): Promise<Finding[]> {
  if (baseUrl === undefined) return []
  const checks = await checksAt(new URL('/api/health', baseUrl)).catch(() => null)
  if (checks === null) return []
  const findings = Object.entries(checks).flatMap(([check, [result]]) => {
    if (result === undefined || result.status === 'pass') return []
    const say = result.status === 'fail' ? fault : warning
    return [say(`health ${check}`, result.output ?? 'Failing.')]
  })
  return findings.length > 0 ? findings : [ok('health', 'All gateway checks pass.')]
}

async function checksAt(address: URL): Promise<Health | null> {
  const answer = await fetch(address, {
    redirect: 'manual',
    signal: AbortSignal.timeout(milliseconds),
  })
  if (!answer.headers.get('content-type')?.startsWith('application/health+json')) return null
  return ((await answer.json()) as { checks: Health }).checks
}

export async function certificateFindings(config: Config, url: string): Promise<Finding[]> {
  const certificates = await readCertificates(config, url)
  return certificates.map(({ name, ends }) => {
    const label = `certificate of ${name}`
    const days = Math.floor((ends - now()) / dayMilliseconds)
    const day = new Date(ends).toISOString().slice(0, 10)
    if (days < 0) return fault(label, `Expired on ${day}. Renew it, and restart what serves it.`)
    const text = `Expires on ${day}, in ${days} days.`
    if (days >= certificateDays.soon) return ok(label, text)
    const say = days < certificateDays.now ? fault : warning
    return say(label, `${text} Renew it before then.`)
  })
}
