// Benchmarks the agent endpoints through the complete gateway: requests that store nothing,
// compared with the same response from Bun.serve, and a booking, compared with its SQL statements.
import { consentVersion } from '#content/consent.ts'
import { acpItem, acpSessions } from '#contract/site/acp.ts'
import { a2aPath } from '#contract/site/a2a.ts'
import { randomBytes } from '#database/clock.ts'
import { sql } from '#database/sql.ts'
import { sessionIds } from '#gateway/acp/session-ids.ts'
import { openLinks } from '#booking/links.ts'
import { bareName, startBare } from '../harness/bare.ts'
import { bookingOn } from '../harness/booking-service.ts'
import { sessionSecret } from '../harness/gateway.ts'
import { allAnswered, costLine, meter } from '../harness/meter.ts'
import type { Cluster, BenchEnvironment } from '../harness/environment.ts'
import { uniqueMark, type Load, load, requestText } from '../harness/load.ts'
import type { Options } from '../harness/options.ts'
import { interleave, percentile, type Result, rowOf } from '../harness/rounds.ts'
import { startSiteGateway, withClosers } from '../harness/server.ts'
import { writeSite } from '../harness/site.ts'
import { openSides } from '../harness/sides.ts'
import { targetOf } from '../targets.ts'

const connections = 8
const json = { 'content-type': 'application/json' }
const post = (path: string, body: object) => requestText('POST', path, json, JSON.stringify(body))

const message = (part: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'message/send',
  params: { message: { kind: 'message', messageId: uniqueMark, role: 'user', parts: [part] } },
})
const ids = sessionIds(sessionSecret)
const completion = (email: string) =>
  post(`${acpSessions}/${ids.make(randomBytes(16))}/complete`, {
    buyer: { first_name: 'Ada', email },
  })
const dryRunBooking = { first_name: 'Ada', email: 'ada@example.com' }

export async function agentCalls(options: Options, cluster: Cluster): Promise<Result> {
  const [light, stored] = [
    await statelessCalls(options),
    await cluster.withEnvironment('agents', environment => booking(options, environment)),
  ]
  return {
    rows: [...light.rows, ...stored.rows],
    notes: [...light.notes, ...stored.notes],
    proofs: [...light.proofs, ...stored.proofs],
  }
}

async function statelessCalls(options: Options): Promise<Result> {
  return withClosers(async onClose => {
    const site = await writeSite(1)
    onClose(() => site.remove())
    const siteGateway = await startSiteGateway({ site: site.folder })
    onClose(() => siteGateway.stop())
    const ok = openSides(options, connections)
    const created = openSides(options, connections)
    const create = post(acpSessions, { line_items: [{ id: acpItem.id }] })
    const bare = await startBare(siteGateway, create)
    onClose(() => bare.stop())
    const runs = await interleave(options.rounds, {
      text: ok.side(siteGateway, [
        post(a2aPath, message({ kind: 'text', text: 'I would like a demo' })),
      ]),
      sent: ok.side(siteGateway, [post(a2aPath, message({ kind: 'data', data: dryRunBooking }))]),
      created: created.side(siteGateway, [create]),
      completed: ok.side(siteGateway, [completion(dryRunBooking.email)]),
      bare: created.side(bare, [create]),
    })
    const costs = (name: keyof typeof runs) => (runs[name] ?? []).map(run => run.gatewayCost)
    const row = (job: string, name: keyof typeof runs) =>
      rowOf({
        unit: 'µs',
        job: `${job}: processor time`,
        ours: costs(name),
        peer: { name: bareName, rounds: costs('bare') },
        target: targetOf('P11 calls'),
      })
    return {
      rows: [
        row('A2A message/send, a text', 'text'),
        row('  a data part, as a dry run', 'sent'),
        row('ACP create', 'created'),
        row('  complete, as a dry run', 'completed'),
      ],
      notes: Object.entries(runs).map(([name, all]) => costLine(name, all)),
      proofs: [allAnswered('agents', '200', ok.loads), allAnswered('agents', '201', created.loads)],
    }
  })
}

/** Books for a new person each time, and counts the rows written. */
async function booking(options: Options, environment: BenchEnvironment): Promise<Result> {
  return withClosers(async onClose => {
    const { site: url } = environment.urls
    const site = await writeSite(1)
    onClose(() => site.remove())
    const siteGateway = await startSiteGateway({ site: site.folder, bookingService: url })
    onClose(() => siteGateway.stop())
    const alone = bookingOn(url, connections, openLinks('http://localhost', sessionSecret))
    onClose(() => alone.close())
    const { port, pid } = siteGateway
    const { postmaster } = environment
    const { seconds, requestsMax } = options
    const loads: Load[] = []
    const statements: Awaited<ReturnType<typeof inProcess>>[] = []
    const texts = () =>
      Array.from({ length: Math.min(requestsMax * connections, 10_000 * seconds) }, () =>
        completion(`${uniqueMark}@rivera-clinic.com`),
      )
    const runs = await interleave(options.rounds, {
      booked: () =>
        meter({ gateway: pid, postmaster }, async () => {
          const run = await load({ port, connections, seconds, requestsMax, texts: texts() })
          loads.push(run)
          return run
        }),
      statements: () =>
        meter({ gateway: undefined, postmaster }, async () => {
          const run = await inProcess(alone, options)
          statements.push(run)
          return run
        }),
    })
    const rates = (name: keyof typeof runs) => (runs[name] ?? []).map(run => run.perSecond)
    const [row] = await environment.owner.use(connection =>
      connection.run<{ calls: number; mail: number }>(
        sql`select (select count(*)::int from site.bookings) as calls,
                   (select count(*)::int from site.emails) as mail`,
      ),
    )
    const made = [...loads, ...statements].reduce((sum, run) => sum + run.answers, 0)
    return {
      rows: [
        rowOf({
          unit: '/s',
          job: 'ACP complete, a call booked',
          ours: rates('booked'),
          peer: { name: 'its statements alone', rounds: rates('statements') },
          target: targetOf('P11 booking'),
        }),
      ],
      notes: Object.entries(runs).map(([name, all]) => costLine(name, all)),
      proofs: [
        allAnswered('ACP complete', '200', loads),
        { what: 'calls booked, one for each person', expected: made, found: row?.calls ?? 0 },
        { what: 'emails queued, two for each call', expected: made * 2, found: row?.mail ?? 0 },
      ],
    }
  })
}

/** Runs only the booking's statements, with the same number of workers. */
async function inProcess(
  { bookingService, idempotencyStore }: ReturnType<typeof bookingOn>,
  { seconds, requestsMax }: Options,
) {
  const taken: number[] = []
  const began = performance.now()
  const via = { protocol: 'acp', agent: 'bench', address: null, wording: consentVersion } as const
  let started = 0
  const worker = async () => {
    while (started < requestsMax && performance.now() - began < seconds * 1000) {
      started++
      const before = performance.now()
      const name = Buffer.from(randomBytes(8)).toString('hex')
      const call = { scope: 'acp session', key: name, content: name }
      await idempotencyStore.find(call)
      const email = `${name}@rivera-clinic.com`
      await bookingService.book({ buyer: { firstName: 'Ada', email }, via })
      await idempotencyStore.keep(call, { status: 200, body: name })
      taken.push(performance.now() - before)
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  const sorted = Float64Array.from(taken).sort()
  return {
    answers: taken.length,
    perSecond: (taken.length / (performance.now() - began)) * 1000,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
  }
}
