// Every page in the portal's navigation, and its filters, with thirty days of request log and
// deliveries: the time to the full response, while one member reads one page after another.
import { invokeOk } from '#clinical/testing/call.ts'
import { portalRows } from '#contract/portal/table.ts'
import { addMember, openTestPortal } from '#portal/testing/portal.ts'
import type { Cluster } from '../harness/environment.ts'
import { fixturesIn } from '../harness/fixtures.ts'
import type { Options } from '../harness/options.ts'
import { measurePages, type Pages } from '../pages/pages.ts'
import { type Result, rowOf } from '../harness/rounds.ts'
import { targetOf } from '../targets.ts'
import { fillLogs } from './fill-logs.ts'
import { firstPaint } from './first-paint.ts'

const endpoints = 4

/** Added to a page's URL to find one item among many. */
const filtered = [
  '/test/requests?operation=createPatient',
  '/test/requests?code=internal_error',
  '/test/requests?outcome=error',
  '/test/deliveries?status=failed',
  '/test/deliveries?event_type=case.approved.v1',
  '/test/deliveries?event_type=visit.completed.v1',
  '/test/webhooks?span=week',
]

export async function portalPages(options: Options, cluster: Cluster): Promise<Result> {
  const rows = {
    requests: options.isShort ? 2000 : options.isLarge ? 10_000_000 : 1_000_000,
    deliveries: options.isShort ? 500 : 1_000_000,
  }
  return cluster.withEnvironment('portal', async environment => {
    const [tenant] = await environment.openTenants(1)
    if (!tenant) throw new Error('There must be a tenant.')
    const fixtures = await fixturesIn(environment)
    for (let at = 0; at < endpoints; at++) {
      await invokeOk(fixtures, 'createWebhookEndpoint', {
        as: tenant.key,
        body: { url: `https://public.brand.example/${at}`, event_types: ['*'] },
      })
    }
    await fillLogs(environment, tenant, rows)
    const { token } = await addMember(fixtures, { integration: tenant.integration })
    const pages: Pages = {
      of: 'portal',
      open: () => openTestPortal(fixtures),
      home: `/${tenant.integration}`,
      paths: [...navigation(), ...filtered],
      cookie: `portal_session=${token}`,
      visits: 10,
      target: targetOf('P21 page'),
      largeRows: rows.deliveries / 10,
    }
    const result = await measurePages(pages, options, environment)
    const paint = options.isShort ? [] : [await paintOf(pages)]
    await fixtures.close()
    return { ...result, rows: [...result.rows, ...paint] }
  })
}

async function paintOf({ open, home, cookie }: Pages) {
  const { origin, close } = open()
  const paint = await firstPaint(`${origin}${home}/test`, cookie)
  await close()
  return rowOf({
    job: 'first paint of the portal’s Home on a phone with slow 4G',
    unit: 'ms',
    ours: [paint],
    peer: null,
    target: targetOf('P21 paint'),
  })
}

/** The navigation's pages, in test mode. */
const navigation = () =>
  Object.values(portalRows)
    .filter(row => row.method === 'GET' && 'group' in row)
    .map(({ path }) => path.replace('/{integration}', '').replace('{mode}', 'test'))
