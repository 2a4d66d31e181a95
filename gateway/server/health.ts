// Whether the house is well, in application/health+json: what it depends on is looked at when
// somebody asks, and at most so often that asking is never a load.
import company from '#content/site.config.ts'
import { siteVersion } from '#contract/versions.ts'
import { momentText } from '#database/clock.ts'
import type { Endpoint } from '#http/endpoint-router.ts'

export type Status = 'pass' | 'warn' | 'fail'

export type Seen = {
  readonly status: Status
  readonly observedValue?: number | string
  readonly observedUnit?: string
  /** For people, in public: what it means. No address and no message of a library. */
  readonly output?: string
}

export type Check = {
  /** `component:measurement`, as the draft spells it. */
  readonly name: string
  readonly componentType: 'component' | 'datastore' | 'system'
  /** Whoever throws or takes too long has failed, with this said of it. */
  readonly failed: string
  look(): Promise<Seen> | Seen
}

export type HealthParts = {
  readonly checks: readonly Check[]
  readonly clock: () => number
  readonly keptMilliseconds?: number
  readonly patienceMilliseconds?: number
}

type Report = { readonly status: Status; readonly text: string }

/**
 * A warning is served as well as health is; what failed answers 503, so that a monitor wakes up.
 */
export function healthEndpoint(parts: HealthParts): Endpoint {
  const reportOf = shared(parts, () => examine(parts))
  return {
    path: '/api/health',
    methods: ['GET'],
    form: 'problem',
    async answer() {
      const { status, text } = await reportOf()
      const type = 'application/health+json'
      return { type, body: text, status: status === 'fail' ? 503 : 200 }
    },
  }
}

/** One examination for all who ask meanwhile, and for a while after it. */
function shared<T>({ clock, keptMilliseconds = 2000 }: HealthParts, make: () => Promise<T>) {
  let kept: Promise<T> | undefined
  let ends = 0
  return (): Promise<T> => {
    if (kept === undefined || clock() >= ends) {
      ends = Number.POSITIVE_INFINITY
      kept = make().finally(() => (ends = clock() + keptMilliseconds))
    }
    return kept
  }
}

const order: readonly Status[] = ['pass', 'warn', 'fail']

async function examine(parts: HealthParts): Promise<Report> {
  const { checks, clock, patienceMilliseconds = 2000 } = parts
  const seen = await Promise.all(checks.map(check => look(check, patienceMilliseconds)))
  const worst = Math.max(0, ...seen.map(({ status }) => order.indexOf(status)))
  const status = order[worst] ?? 'fail'
  const time = momentText(clock())
  const body = {
    status,
    version: siteVersion,
    serviceId: 'site-content-api',
    description: `${company.name}: site content API`,
    checks: Object.fromEntries(
      checks.map(({ name, componentType }, at) => [name, [{ componentType, ...seen[at], time }]]),
    ),
    links: { about: `${company.site}/developers`, describedby: `${company.site}/openapi.json` },
  }
  return { status, text: JSON.stringify(body) }
}

async function look(check: Check, milliseconds: number): Promise<Seen> {
  const failed: Seen = { status: 'fail', output: check.failed }
  const timer = Promise.withResolvers<Seen>()
  const timeout = setTimeout(() => timer.resolve(failed), milliseconds)
  const looked = Promise.resolve()
    .then(() => check.look())
    .catch(() => failed)
  return Promise.race([looked, timer.promise]).finally(() => clearTimeout(timeout))
}

/** A statement that does nothing, and how long it took to come back. */
export const databaseCheck = (ping: () => Promise<unknown>): Check => ({
  name: 'database:responseTime',
  componentType: 'datastore',
  failed: 'The database does not answer. Pages, lists and /ask are served without it.',
  async look() {
    const began = performance.now()
    await ping()
    const taken = Math.round((performance.now() - began) * 10) / 10
    return { status: 'pass', observedValue: taken, observedUnit: 'ms' }
  },
})

/** What is not accepted at once is tried again within minutes. */
const mailSecondsMax = 900

/** Whether what was booked is being told. */
export const mailCheck = (waits: () => Promise<number>): Check => ({
  name: 'mail:age',
  componentType: 'datastore',
  failed: 'The queue of mail cannot be read.',
  async look() {
    const seconds = await waits()
    const seen = { observedValue: seconds, observedUnit: 's' }
    return seconds <= mailSecondsMax
      ? { status: 'pass', ...seen }
      : { status: 'warn', ...seen, output: 'Mail waits longer than it should.' }
  },
})

/** A build is always there; one that came after it may have been refused. */
export const siteCheck = (site: { articles(): number; isRefusing(): boolean }): Check => ({
  name: 'site:articles',
  componentType: 'component',
  failed: 'The published site cannot be read.',
  look: () => ({
    status: site.isRefusing() ? 'warn' : 'pass',
    observedValue: site.articles(),
    observedUnit: 'articles',
    ...(site.isRefusing()
      ? { output: 'The newest build was refused; the one before it is served.' }
      : {}),
  }),
})

/** Only where counts are meant to be shared. */
export const countersCheck = (isShared: () => boolean | null): Check[] =>
  isShared() === null
    ? []
    : [
        {
          name: 'redis:shared',
          componentType: 'datastore',
          failed: 'The state of Redis is not known.',
          look: () =>
            isShared() === true
              ? { status: 'pass' }
              : { status: 'warn', output: 'Each gateway counts calls alone.' },
        },
      ]
