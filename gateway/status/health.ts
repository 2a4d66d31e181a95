// The service's health in application/health+json. Dependencies are checked on request, and the
// report is cached, so frequent requests cause no load.
import company from '#content/site.config.ts'
import { siteVersion } from '#contract/versions.ts'
import { momentText } from '#database/clock.ts'
import { fullBytes, nearlyFullBytes } from '#database/disk.ts'
import type { Endpoint } from '#http/endpoint.ts'

/** In order, best first. */
const statuses = ['pass', 'warn', 'fail'] as const
export type Status = (typeof statuses)[number]

/** The worst status; undefined for an empty list. */
export const worstOf = (all: readonly Status[]): Status | undefined =>
  statuses.findLast(status => all.includes(status))

export type CheckResult = {
  readonly status: Status
  readonly observedValue?: number | string
  readonly observedUnit?: string
  /** An explanation that anyone may read. It contains no addresses and no library messages. */
  readonly output?: string
}

export type Check = {
  /** `component:measurement`, the naming scheme in the application/health+json draft. */
  readonly name: string
  readonly componentType: 'component' | 'datastore' | 'system'
  /** The output of a check that throws or times out instead of returning a result. */
  readonly failed: string | ((failure: unknown) => string)
  run(): Promise<CheckResult> | CheckResult
}

type HealthParts = {
  readonly checks: readonly Check[]
  readonly clock: () => number
  readonly cacheMilliseconds?: number
  readonly timeoutMilliseconds?: number
}

type Report = { readonly status: Status; readonly text: string }

/** A warning returns 200 and a failure 503, so monitors raise an alert only for a failure. */
export function healthEndpoint(parts: HealthParts): Endpoint {
  const reportOf = cached(parts, () => examine(parts))
  return {
    path: '/api/health',
    methods: ['GET'],
    errorFormat: 'problem',
    async answer() {
      const { status, text } = await reportOf()
      const type = 'application/health+json'
      return { type, body: text, status: status === 'fail' ? 503 : 200 }
    },
  }
}

/** Shares one report among concurrent requests and keeps it briefly. */
function cached<T>({ clock, cacheMilliseconds = 2000 }: HealthParts, make: () => Promise<T>) {
  let report: Promise<T> | undefined
  let ends = 0
  return (): Promise<T> => {
    if (report === undefined || clock() >= ends) {
      ends = Number.POSITIVE_INFINITY
      report = make().finally(() => (ends = clock() + cacheMilliseconds))
    }
    return report
  }
}

async function examine(parts: HealthParts): Promise<Report> {
  const { checks, clock, timeoutMilliseconds = 2000 } = parts
  const results = await Promise.all(checks.map(check => runCheck(check, timeoutMilliseconds)))
  const status = worstOf(results.map(each => each.status)) ?? 'pass'
  const time = momentText(clock())
  const body = {
    status,
    version: siteVersion,
    serviceId: 'site-content-api',
    description: `${company.name}: site content API`,
    checks: Object.fromEntries(
      checks.map(({ name, componentType }, at) => [
        name,
        [{ componentType, ...results[at], time }],
      ]),
    ),
    links: { about: `${company.site}/developers`, describedby: `${company.site}/openapi.json` },
  }
  return { status, text: JSON.stringify(body) }
}

/** A check's result, which is a failure if the check throws or takes too long. */
export async function runCheck(check: Check, milliseconds: number): Promise<CheckResult> {
  const failed = (failure?: unknown): CheckResult => ({
    status: 'fail',
    output: typeof check.failed === 'string' ? check.failed : check.failed(failure),
  })
  const timer = Promise.withResolvers<CheckResult>()
  const timeout = setTimeout(() => timer.resolve(failed()), milliseconds)
  const result = Promise.resolve()
    .then(() => check.run())
    .catch(failed)
  return Promise.race([result, timer.promise]).finally(() => clearTimeout(timeout))
}

/** Whether the data disk has room. */
export const diskCheck = (freeBytes: () => number): Check => ({
  name: 'disk:available',
  componentType: 'system',
  failed: "Can't read the disk's free space.",
  run() {
    const free = freeBytes()
    if (free < fullBytes) {
      return {
        status: 'fail',
        output: 'The disk is full. Writes are refused until space is freed. Pages still work.',
      }
    }
    if (free >= nearlyFullBytes) return { status: 'pass' }
    return { status: 'warn', output: 'The disk is nearly full.' }
  },
})

/** Email that isn't accepted immediately is retried within minutes. */
const mailSecondsMax = 900

/** Whether booking emails are being sent. */
export const mailCheck = (oldestSeconds: () => Promise<number>): Check => ({
  name: 'mail:age',
  componentType: 'datastore',
  failed: "Can't read the email queue.",
  async run() {
    const seconds = await oldestSeconds()
    const observed = { observedValue: seconds, observedUnit: 's' }
    return seconds <= mailSecondsMax
      ? { status: 'pass', ...observed }
      : { status: 'warn', ...observed, output: 'Email is delayed.' }
  },
})

/** Some build is always served, but a newer one may have been refused. */
export const siteCheck = (site: { articles(): number; isRefusing(): boolean }): Check => ({
  name: 'site:articles',
  componentType: 'component',
  failed: "Can't read the published site.",
  run: () => ({
    status: site.isRefusing() ? 'warn' : 'pass',
    observedValue: site.articles(),
    observedUnit: 'articles',
    ...(site.isRefusing()
      ? { output: 'The newest build was refused. The previous one is live.' }
      : {}),
  }),
})

/** Whether a question finds any pages. */
export const askCheck = (results: () => number): Check => ({
  name: 'ask:results',
  componentType: 'component',
  failed: "Questions aren't being answered.",
  run: () => ({ status: results() > 0 ? 'pass' : 'fail', observedValue: results() }),
})

/** Whether the workers deliver webhooks in time, in each mode. */
export const webhooksCheck = (areBehind: () => Promise<boolean>): Check => ({
  name: 'webhooks:lag',
  componentType: 'component',
  failed: "Can't tell whether webhooks are being delivered.",
  run: async () =>
    (await areBehind())
      ? { status: 'warn', output: 'Webhook deliveries are delayed.' }
      : { status: 'pass' },
})

/** Exists only if gateways share rate limits through Redis. */
export const countersCheck = (isShared: () => boolean | null): Check[] =>
  isShared() === null
    ? []
    : [
        {
          name: 'redis:shared',
          componentType: 'datastore',
          failed: "Can't tell whether Redis is available.",
          run: () =>
            isShared() === true
              ? { status: 'pass' }
              : { status: 'warn', output: 'Each gateway counts requests separately.' },
        },
      ]
