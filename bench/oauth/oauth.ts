// Issues and stores tokens for confidential clients, compared with one insert of the same row, both
// without other live tokens and with a million. Also sweeps dead registrations.
import path from 'node:path'
import { createClient } from '#auth/administration.ts'
import { openIntegration } from '#auth/integrations.ts'
import { freePort } from '#database/embedded/postmaster.ts'
import { sql } from '#database/sql.ts'
import type { BenchEnvironment, Cluster } from '../harness/environment.ts'
import { type Load, requestText } from '../harness/load.ts'
import { allAnswered, type Costs, costLine } from '../harness/meter.ts'
import type { Options } from '../harness/options.ts'
import { interleave, type Result, rowOf } from '../harness/rounds.ts'
import { atLeast } from '../targets.ts'
import { startServer, withClosers } from '../harness/server.ts'
import { openSides } from '../harness/sides.ts'
import type { BareSettings } from './bare-server.ts'
import { sweepDead } from './sweep-dead.ts'
import type { TokenServerSettings } from './token-server.ts'

const connections = 16
const clientCount = 64

type Client = { id: string; secret: string }

/** Sends requests for several clients, because each client's row is locked while it gets a
 *  token. */
const requestOf = ({ id, secret }: Client) =>
  requestText(
    'POST',
    '/api/auth/oauth2/token',
    {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${btoa(`${id}:${secret}`)}`,
    },
    'grant_type=client_credentials&scope=patients%3Aread',
  )

async function makeClients({ owner, pepper }: BenchEnvironment): Promise<Client[]> {
  const { integration } = await owner.use(connection => openIntegration(connection, 'bench'))
  const asked = { integration, mode: 'test', name: 'bench' } as const
  const act = { surface: 'cli', request: 'req_bench' } as const
  return Promise.all(
    Array.from({ length: clientCount }, async () => {
      const made = await owner.use(connection => createClient(connection, pepper, asked, act))
      if (made.refusal !== null) throw new Error(made.refusal)
      return { id: made.id, secret: made.secret }
    }),
  )
}

const familiesOf = ({ owner }: BenchEnvironment, clients: readonly Client[]) =>
  owner.use(connection =>
    connection.run<{ id: string; client: string; integration: string }>(sql`
      select id, client, integration from auth.token_families
       where client = any (${clients.map(({ id }) => id)}::text[])`),
  )

/** Other clients' live tokens, twenty for each. */
const addTokens = ({ owner }: BenchEnvironment, count: number) =>
  owner.use(async connection => {
    await connection.run(sql`set statement_timeout = 0`)
    await connection.run(sql`
      insert into auth.clients (id, kind, integration, mode, scopes, name)
      select 'cli_b' || lpad(n::text, 25, '0'), 'confidential', c.integration, 'test', c.scopes, 'b'
        from (select * from auth.clients limit 1) c, generate_series(1, ${count / 20}::int) n`)
    await connection.run(sql`
      insert into auth.credentials (id, kind, integration, mode, name, scopes, hash, last4,
                                    expires_at, family, client)
      select 'tok_b' || f.id || n, 'client', f.integration, 'test', 'b', f.scopes,
             sha256(convert_to(f.id || n, 'utf8')), 'abcd', now() + interval '1 hour', f.id, f.client
        from auth.token_families f, generate_series(1, 20) n where f.client like 'cli_b%'`)
    // Vacuums as autovacuum would, so the effects of the fill aren't measured.
    await connection.run(sql`vacuum (analyze) auth.credentials, auth.clients, auth.token_families`)
    await connection.run(sql`checkpoint`)
  })

export async function issueTokens(options: Options, cluster: Cluster): Promise<Result> {
  return cluster.withEnvironment('oauth', environment =>
    withClosers(async onClose => {
      const { stored, bare, loads } = await openServers(options, environment, onClose)
      const few = await interleave(options.rounds, { stored, bare })
      const live = options.isShort ? 2000 : 1_000_000
      await addTokens(environment, live)
      // A page's first change after a checkpoint writes the whole page to the log. With many
      // tokens, each hash goes to a different page until all pages have been written.
      const atFirst = await interleave(options.rounds, { stored })
      const many = await interleave(options.rounds, { stored })
      const swept = await sweepDead(environment, options.isShort ? 1000 : 1_000_000)
      const { rows, notes } = resultOf({ few, atFirst, many }, live)
      return {
        rows: [...rows, ...swept.rows],
        notes: [...notes, ...swept.notes],
        proofs: [allAnswered('every side', '200', loads), swept.proof],
      }
    }),
  )
}

type OnClose = Parameters<Parameters<typeof withClosers>[0]>[0]

async function openServers(options: Options, environment: BenchEnvironment, onClose: OnClose) {
  const clients = await makeClients(environment)
  const [first = { id: '', secret: '' }] = clients
  const start = async (
    file: string,
    given: Omit<TokenServerSettings, 'port'> | Omit<BareSettings, 'port'>,
  ) => {
    const port = await freePort()
    const command = [process.execPath, path.join(import.meta.dir, file)]
    const server = await startServer({ command, port, input: JSON.stringify({ ...given, port }) })
    onClose(() => server.stop())
    return server
  }
  const database = { url: environment.urls.auth, pepper: environment.pepper }
  const ours = await start('token-server.ts', { database })
  // These clients are separate, because our side would delete their tokens, and the bare server
  // deletes nothing.
  const families = await familiesOf(environment, await makeClients(environment))
  const bare = await start('bare-server.ts', { database, families })
  const { side, loads } = openSides(options, connections, environment.postmaster)
  return {
    stored: side(ours, clients.map(requestOf)),
    bare: side(bare, [requestOf(first)]),
    loads,
  }
}

type Runs = Record<string, (Load & Costs)[]>

const ratesOf = (runs: Runs, name: string) => (runs[name] ?? []).map(run => run.perSecond)

type AllRuns = Record<'few' | 'atFirst' | 'many', Runs>

function resultOf({ few, atFirst, many }: AllRuns, count: number): Pick<Result, 'rows' | 'notes'> {
  const live = `the same with ${count.toLocaleString('en-US')} live tokens`
  const ours = ratesOf(few, 'stored')
  const peer = { name: 'with few', rounds: ours }
  return {
    rows: [
      rowOf({
        job: 'client_credentials, stored',
        unit: '/s',
        ours,
        peer: { name: 'Bun.serve and one insert of the row', rounds: ratesOf(few, 'bare') },
        target: null,
      }),
      rowOf({
        job: `${live}, from a checkpoint on`,
        unit: '/s',
        ours: ratesOf(atFirst, 'stored'),
        peer,
        target: null,
      }),
      rowOf({
        job: live,
        unit: '/s',
        ours: ratesOf(many, 'stored'),
        peer,
        target: atLeast(0.9),
      }),
    ],
    notes: Object.entries(few).map(([name, runs]) => costLine(name, runs)),
  }
}
