// Compares reading one patient through a tool, in both protocol versions, with the same read over
// REST in the same process, and with the protocol's own library over REST.
import path from 'node:path'
import { freePort } from '#database/embedded/postmaster.ts'
import { sql } from '#database/sql.ts'
import type { BenchEnvironment, Cluster, Tenant } from '../harness/environment.ts'
import { requestText } from '../harness/load.ts'
import { allAnswered, costLine } from '../harness/meter.ts'
import type { Options } from '../harness/options.ts'
import { interleave, type Result, rowOf } from '../harness/rounds.ts'
import { atMost } from '../targets.ts'
import { type Server, startServer, withClosers } from '../harness/server.ts'
import { openSides } from '../harness/sides.ts'
import { person } from '../harness/statement.ts'
import { targetOf } from '../targets.ts'

const connections = 8

const protocol = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** Every server checks the Host header. The load sends `localhost` without a port, which all of
 *  them allow. */
function callText({ key }: Tenant, id: string, isModern: boolean): string {
  const given = { name: 'get_patient', arguments: { id } }
  const params = { ...given, ...(isModern ? { _meta: protocol } : {}) }
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'user-agent': 'bench',
    ...(isModern && {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'get_patient',
    }),
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  return requestText('POST', '/mcp', headers, body)
}

const restText = ({ key }: Tenant, id: string) =>
  requestText('GET', `/v1/patients/${id}`, {
    authorization: `Bearer ${key}`,
    'user-agent': 'bench',
  })

export async function clinicalToolCalls(options: Options, cluster: Cluster): Promise<Result> {
  return cluster.withEnvironment('clinical_tools', environment =>
    withClosers(async onClose => {
      const start = async (file: string, settings: (port: number) => object) => {
        const port = await freePort()
        const command = [process.execPath, path.join(import.meta.dir, file)]
        const input = JSON.stringify(settings(port))
        const server = await startServer({ command, port, input, path: '/mcp' })
        onClose(() => server.stop())
        return server
      }
      const { urls, pepper, files } = environment
      const ours = await start('tool-server.ts', port => ({ port, urls, pepper, files }))
      const peer = await start('tool-peer.ts', port => ({ port, api: ours.port }))
      const [tenant] = await environment.openTenants(1)
      if (!tenant) throw new Error('A tenant must have been opened.')
      const id = await createPatient(ours, tenant)
      const before = await countReads(environment)
      const { side, loads } = openSides(options, connections, environment.postmaster)
      const runs = await interleave(options.rounds, {
        rest: side(ours, [restText(tenant, id)]),
        tool: side(ours, [callText(tenant, id, false)]),
        toolModern: side(ours, [callText(tenant, id, true)]),
        library: side(peer, [callText(tenant, id, false)]),
        libraryModern: side(peer, [callText(tenant, id, true)]),
      })
      const answers = loads.reduce((sum, run) => sum + run.answers, 0)
      return {
        ...resultOf(runs),
        proofs: [
          allAnswered('every side', '200', loads),
          {
            what: 'audit rows',
            expected: answers,
            found: (await countReads(environment)) - before,
          },
        ],
      }
    }),
  )
}

const library = 'McpServer of server 2.4'

type Runs = Readonly<Record<string, Parameters<typeof costLine>[1]>>

function resultOf(runs: Runs): Pick<Result, 'rows' | 'notes'> {
  const rates = (name: string) => (runs[name] ?? []).map(run => run.perSecond)
  const costs = (name: string) => (runs[name] ?? []).map(run => run.gatewayCost)
  const beyondRest = (name: string) =>
    costs(name).map((cost, at) => cost - (costs('rest')[at] ?? Number.NaN))
  const rate = (job: string, ours: string, peer: string, title: string) =>
    rowOf({
      job,
      unit: '/s',
      ours: rates(ours),
      peer: { name: title, rounds: rates(peer) },
      target: null,
    })
  const cost = (job: string, ours: string, peer: string) => {
    const extra = { job: `${job}: processor time beyond REST`, unit: 'µs', ours: beyondRest(ours) }
    return [
      rowOf({ ...extra, peer: null, target: targetOf('P18 tool') }),
      rowOf({ ...extra, peer: { name: library, rounds: costs(peer) }, target: atMost(0.25) }),
    ]
  }
  return {
    rows: [
      rate('get_patient, 2025-11-25', 'tool', 'library', `${library} over REST`),
      rate('get_patient, 2026-07-28', 'toolModern', 'libraryModern', `${library} over REST`),
      rate('get_patient, 2025-11-25', 'tool', 'rest', 'GET /v1/patients/{id}'),
      ...cost('2025-11-25', 'tool', 'library'),
      ...cost('2026-07-28', 'toolModern', 'libraryModern'),
    ],
    notes: Object.entries(runs).map(([name, all]) => costLine(name, all)),
  }
}

async function createPatient({ port }: Server, { key }: Tenant): Promise<string> {
  const answer = await fetch(`http://localhost:${port}/v1/patients`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': 'bench',
    },
    body: JSON.stringify(person),
  })
  return ((await answer.json()) as { id: string }).id
}

const countReads = async ({ owner }: BenchEnvironment): Promise<number> => {
  const [row] = await owner.use(connection =>
    connection.run<{ all: number }>(
      sql`select count(*)::int as all from audit.entries where action = 'getPatient'`,
    ),
  )
  return row?.all ?? 0
}
