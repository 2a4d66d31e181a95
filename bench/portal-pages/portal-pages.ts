// Every page of the portal's navigation, and its filters, with a request log and deliveries of
// thirty days: the time to the whole answer, with one member who reads one page after the other.
import { invokeOk } from '#clinical/testing/call.ts'
import { portalRows } from '#contract/portal/table.ts'
import { addMember, openTestPortal } from '#portal/testing/portal.ts'
import type { Cluster } from '../harness/environment.ts'
import { fixturesIn } from '../harness/fixtures.ts'
import type { Options } from '../harness/options.ts'
import { median, percentile, type Result, rowOf } from '../harness/rounds.ts'
import { atMost } from '../targets.ts'
import { fillLogs } from './fill-logs.ts'

const endpoints = 4
const visitsEach = 10

/** What a member adds to a page's address to find one thing among many. */
const filtered = [
  '/test/requests?operation=createPatient',
  '/test/requests?code=internal_error',
  '/test/requests?outcome=error',
  '/test/deliveries?status=failed',
  '/test/deliveries?event_type=case.approved.v1',
  '/test/deliveries?event_type=visit.completed.v1',
]

export async function portalPages(options: Options, cluster: Cluster): Promise<Result> {
  const rows = {
    requests: options.isShort ? 2000 : options.isLarge ? 10_000_000 : 1_000_000,
    deliveries: options.isShort ? 500 : 1_000_000,
  }
  return cluster.withEnvironment('portal', async environment => {
    const [tenant] = await environment.openTenants(1)
    if (!tenant) throw new Error('There is no tenant.')
    const fixtures = await fixturesIn(environment)
    for (let at = 0; at < endpoints; at++) {
      await invokeOk(fixtures, 'createWebhookEndpoint', {
        as: tenant.key,
        body: { url: `https://public.brand.example/${at}`, event_types: ['*'] },
      })
    }
    await fillLogs(environment, tenant, rows)
    const open = openTestPortal(fixtures)
    const { token } = await addMember(fixtures, { integration: tenant.integration })
    const paths = [...navigation(), ...filtered].map(path => `/${tenant.integration}${path}`)
    const visit = async (path: string) => {
      const started = performance.now()
      const answer = await fetch(`${open.origin}${path}`, {
        headers: { cookie: `portal_session=${token}` },
      })
      await answer.text()
      return { took: performance.now() - started, isAnswered: answer.status === 200 }
    }
    const visits = options.isShort ? 1 : visitsEach
    const measured = []
    for (const path of paths) {
      await visit(path)
      const times = []
      for (let at = 0; at < visits * options.rounds; at++) times.push(await visit(path))
      measured.push({ path: path.replace(`/${tenant.integration}`, ''), times })
    }
    await open.close()
    await fixtures.close()
    return resultOf(measured)
  })
}

type Measured = { path: string; times: { took: number; isAnswered: boolean }[] }

const tookOf = ({ times }: Measured) => times.map(({ took }) => took).toSorted((a, b) => a - b)

function resultOf(measured: readonly Measured[]): Result {
  const slowest = measured.toSorted(
    (one, other) => percentile(tookOf(other), 0.99) - percentile(tookOf(one), 0.99),
  )
  const all = measured.flatMap(one => one.times)
  const sorted = all.map(({ took }) => took).toSorted((a, b) => a - b)
  return {
    rows: [
      rowOf({
        job: 'a page of the portal, p99 over all pages',
        unit: 'ms',
        ours: [percentile(sorted, 0.99)],
        peer: null,
        target: atMost(100),
      }),
      rowOf({
        job: `the slowest page, ${slowest[0]?.path}, p99`,
        unit: 'ms',
        ours: [percentile(slowest[0] ? tookOf(slowest[0]) : [], 0.99)],
        peer: null,
        target: atMost(100),
      }),
    ],
    notes: slowest
      .slice(0, 8)
      .map(one => `${one.path}: median ${median(tookOf(one)).toFixed(1)} ms`),
    proofs: [
      {
        what: 'pages answered with 200',
        expected: all.length,
        found: all.filter(one => one.isAnswered).length,
      },
    ],
  }
}

/** The pages of the navigation, in test mode. */
const navigation = () =>
  Object.values(portalRows)
    .filter(row => row.method === 'GET' && 'group' in row)
    .map(({ path }) => path.replace('/{integration}', '').replace('{mode}', 'test'))
