// Compares a replay of a finished idempotency key with a read of the same patient, and that read
// with its two statements, a select and an insert, in a bare loop. Then repeats both comparisons
// with a client's token.
import { insertAuditRows } from '#auth/audit.ts'
import { issueToken } from '#auth/testing/tokens.ts'
import { patientColumns } from '#clinical/patients/patient.ts'
import { idAndItem } from '#clinical/pipeline/publish.ts'
import { sql } from '#database/sql.ts'
import { postText, type Setup } from './setup.ts'
import { allAnswered, type Costs, costLine, meter } from '../harness/meter.ts'
import { callerOf, type BenchEnvironment, type Tenant } from '../harness/environment.ts'
import { Ledger } from '../harness/ledger.ts'
import { type Load, load, requestText } from '../harness/load.ts'
import { runLoop } from '../harness/loop.ts'
import type { Rate } from '../harness/pgbench.ts'
import { interleave, type Result, rowOf } from '../harness/rounds.ts'
import { auditedOf, setTenant, poolOf } from '../harness/statement.ts'
import { targetOf } from '../targets.ts'

const clients = 8

/** A finished write, whose key can be replayed and whose patient can be read. */
type Finished = { key: string; id: string }

export async function publishedPatient(setup: Setup): Promise<Result> {
  const { options, environment, gateway } = setup
  const { seconds, requestsMax } = options
  const [tenant] = await environment.openTenants(1)
  if (!tenant) throw new Error('A tenant must have been opened.')
  const finished = await Promise.all(
    Array.from({ length: clients }, (_, at) => create(setup, tenant, `bench-replay-${at}`)),
  )
  const ledger = await Ledger.open(environment, [tenant])
  const plan = { port: gateway.port, connections: clients, seconds, requestsMax }
  const processes = { gateway: gateway.pid, postmaster: environment.postmaster }
  const loads = { replay: [] as Load[], read: [] as Load[], token: [] as Load[] }
  const side = (name: keyof typeof loads, texts: string[]) => () =>
    meter(processes, async () => {
      const run = await load({ ...plan, texts })
      loads[name].push(run)
      return run
    })
  const loop = await bareRead(environment, tenant, finished)
  const { token } = await environment.owner.use(connection =>
    issueToken(connection, environment.pepper, { integration: tenant.integration }),
  )
  const bound = { workers: clients, seconds, requestsMax }
  const runs = await interleave(options.rounds, {
    replay: side(
      'replay',
      finished.map(({ key }) => postText(tenant, key)),
    ),
    read: side(
      'read',
      finished.map(({ id }) => getText(tenant.key, id)),
    ),
    token: side(
      'token',
      finished.map(({ id }) => getText(token, id)),
    ),
    loop: () => meter({ ...processes, gateway: undefined }, () => runLoop(bound, loop.read)),
  })
  await loop.close()
  const calls = Object.values(loads)
    .flat()
    .reduce((sum, run) => sum + run.answers, 0)
  const { audits, ...written } = await ledger.written()
  return {
    ...resultOf(runs),
    proofs: [
      allAnswered('replay', '201', loads.replay),
      allAnswered('read', '200', loads.read),
      allAnswered('read with a token', '200', loads.token),
      // The bare loop writes one audit row per iteration, for the same integration.
      { what: 'replay and read: audit rows', expected: calls + loop.turns(), found: audits },
      {
        what: 'replay and read: rows written',
        expected: 0,
        found: Object.values(written).reduce((sum, each) => sum + each, 0),
      },
    ],
  }
}

type Run = Rate & Costs

function resultOf(runs: Record<string, Run[]>): Pick<Result, 'rows' | 'notes'> {
  const { replay = [], read = [], token = [], loop: bare = [] } = runs
  const rates = (side: Run[]) => side.map(run => run.perSecond)
  return {
    rows: [
      rowOf({
        job: 'replay of a finished key',
        unit: '/s',
        target: targetOf('P3'),
        ours: rates(replay),
        peer: { name: 'GET of the same patient', rounds: rates(read) },
      }),
      rowOf({
        job: 'GET /v1/patients/{id}',
        unit: '/s',
        target: targetOf('P5'),
        ours: rates(read),
        peer: { name: 'select and insert, bare loop', rounds: rates(bare) },
      }),
      rowOf({
        job: "  the same with a client's token",
        unit: '/s',
        target: targetOf('P18 token'),
        ours: rates(token),
        peer: { name: 'with a key', rounds: rates(read) },
      }),
    ],
    notes: [
      costLine('replay of a finished key', replay),
      costLine('GET /v1/patients/{id}', read),
      costLine("  the same with a client's token", token),
      costLine('  bare loop, select and insert', bare),
    ],
  }
}

const getText = (credential: string, id: string) =>
  requestText('GET', `/v1/patients/${id}`, {
    authorization: `Bearer ${credential}`,
    'user-agent': 'bench',
  })

async function create({ gateway }: Setup, tenant: Tenant, key: string): Promise<Finished> {
  const [head = '', body = ''] = postText(tenant, key).split('\r\n\r\n')
  const headers = head
    .split('\r\n')
    .slice(1)
    .map(line => line.split(': '))
    .filter(([name]) => name !== 'host' && name !== 'content-length')
    .map(([name = '', value = '']): [string, string] => [name, value])
  const url = `http://127.0.0.1:${gateway.port}/v1/patients`
  const response = await fetch(url, { method: 'POST', headers, body })
  const { id }: { id?: unknown } = await response.json()
  if (response.status !== 201 || typeof id !== 'string') {
    throw new Error(`A patient could not be created: ${response.status}`)
  }
  return { key, id }
}

/** A select, then an insert, and nothing else. */
async function bareRead(
  environment: BenchEnvironment,
  tenant: Tenant,
  finished: readonly Finished[],
) {
  const pools = finished.map(() => poolOf(environment, 1))
  await Promise.all(pools.map(pool => pool.use(connection => connection.run(setTenant(tenant)))))
  let turns = 0
  const read = async (worker: number) => {
    const id = finished[worker]?.id ?? ''
    turns++
    return pools[worker]?.use(async connection => {
      await connection.run(sql`
        select ${idAndItem(patientColumns)} from patients
         where tenant = ${tenant.id}::bigint and id = ${id} and deleted_at is null`)
      const outcome = sql`select null::text, 'ok', 200::int2, null::text`
      await connection.run(insertAuditRows(callerOf(tenant), auditedOf('getPatient', id), outcome))
    })
  }
  const close = () => Promise.all(pools.map(pool => pool.close()))
  return { read, close, turns: () => turns }
}
