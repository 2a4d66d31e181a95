// Two hundred requests with one Idempotency-Key over twenty connections: one effect, whatever the
// order in which they meet.
import { rivera } from '#clinical/testing/call.ts'
import { sql } from '#database/sql.ts'
import type { BenchEnvironment } from '../harness/environment.ts'
import type { Result } from '../harness/rounds.ts'

const requests = 200
const connections = 20

type Outcome = 'created' | 'in_progress' | 'replayed' | 'other'

export async function oneKey(environment: BenchEnvironment): Promise<Result> {
  const [tenant] = await environment.openTenants(1)
  if (!tenant) throw new Error('One tenant was opened.')
  const gateway = await environment.openGateway()
  const counts: Record<Outcome, number> = { created: 0, in_progress: 0, replayed: 0, other: 0 }
  let sent = 0
  const send = async () => {
    while (sent++ < requests) {
      const answer = await fetch(`http://127.0.0.1:${gateway.port}/v1/patients`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${tenant.key}`,
          'content-type': 'application/json',
          'idempotency-key': 'one-key',
        },
        body: JSON.stringify(rivera),
      })
      counts[outcomeOf(answer)] += 1
      await answer.body?.cancel()
    }
  }
  await Promise.all(Array.from({ length: connections }, send))
  const [row] = await environment.owner.use(connection =>
    connection.run<{ count: number }>(
      sql`select count(*)::int as count from test.patients where tenant = ${tenant.id}::bigint`,
    ),
  )
  const { created, in_progress, replayed, other } = counts
  return {
    rows: [],
    notes: [
      `${requests} requests with one key: ${created} created, ${in_progress} refused as in progress, ${replayed} replayed.`,
    ],
    proofs: [
      { what: 'patients of one key', expected: 1, found: row?.count ?? 0 },
      { what: 'requests that created it', expected: 1, found: created },
      { what: 'answers of one key', expected: requests, found: requests - other },
    ],
  }
}

function outcomeOf({ status, headers }: Response): Outcome {
  if (status === 201) return headers.get('idempotent-replayed') === 'true' ? 'replayed' : 'created'
  return status === 409 ? 'in_progress' : 'other'
}
