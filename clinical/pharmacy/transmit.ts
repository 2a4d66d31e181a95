// The job that sends prescriptions to pharmacies. Between its steps no transaction is open and no
// row is locked, so a worker may die at any point:
//
//   claim     lease of a minute, attempt counted      one statement
//   send      signed POST, the prescription as key    no transaction
//   record    order moved, event, audit, result       one statement
//
// A claimed but unrecorded prescription is sent again when its lease expires; the pharmacy
// recognizes the key, and responds with its existing order. Decided in
// docs/decisions/0148-send-a-prescription-once.md.

import { pharmacyLimits } from '#contract/pharmacy/protocol.ts'
import { newRequestId } from '#http/http-request.ts'
import type { Encryption } from '#database/encryption.ts'
import { type Connection, type ConnectionPool, keyed, openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { inRounds } from '../jobs/in-rounds.ts'
import type { Job, Worker } from '../jobs/job.ts'
import { openTurns } from '../jobs/turns.ts'
import { claim, type Claimed } from './claim.ts'
import { readPharmacy } from './connection.ts'
import { readPrescribed } from './message.ts'
import type { PharmacyClock } from './order.ts'
import type { PharmacyProvider } from './provider.ts'
import { notSent, record, type Recorded } from './record.ts'
import { reencryptPharmacies } from './reencrypt.ts'

export type PharmacyParts = {
  /** Connects as app_pharmacy, with the live schema. */
  readonly pool: ConnectionPool
  readonly encryption: Encryption
  readonly provider: PharmacyProvider
}

/** Opens a pool with the worker's settings. */
export const openPharmacyPool = (url: string, size: number): ConnectionPool =>
  openPool({ url, size, name: 'pharmacy', path: 'live, public', settings: keyed })

const atOnce = 32

/** Sends due prescriptions until none are left, and returns a count for each result. */
export async function transmitDue(
  parts: PharmacyParts,
  clock: PharmacyClock,
  cut: AbortSignal,
): Promise<Partial<Record<Recorded, number>>> {
  const counts: Partial<Record<Recorded, number>> = {}
  const add = (result: Recorded, n = 1) => {
    counts[result] = (counts[result] ?? 0) + n
  }
  const turns = openTurns()
  while (!cut.aborted) {
    const { claimed, stopped } = await parts.pool.use(connection =>
      claim(connection, atOnce, clock.fresh, turns),
    )
    if (stopped > 0) add('stopped', stopped)
    if (claimed.length + stopped === 0) break
    // A failure on our side must not block other prescriptions. The failed prescription's lease
    // expires.
    const results = await Promise.allSettled(claimed.map(one => transmit(parts, clock, one, cut)))
    for (const result of results) {
      if (result.status === 'rejected') throw result.reason
      add(result.value)
    }
  }
  return counts
}

async function transmit(
  { pool, encryption, provider }: PharmacyParts,
  clock: PharmacyClock,
  claimed: Claimed,
  cut: AbortSignal,
): Promise<Recorded> {
  const audited = {
    surface: 'worker',
    action: 'transmitOrder',
    target: claimed.order,
    request: newRequestId(),
    address: null,
    agent: null,
  } as const
  const found = await pool.use(async connection => {
    const pharmacy = await readPharmacy(connection, encryption, claimed.connection)
    if (pharmacy === null) return null
    await connection.run(sql`select set_config('app.tenant', ${claimed.tenant}, false)`)
    return { pharmacy, prescribed: await readPrescribed(connection, claimed) }
  })
  if (found === null) {
    return pool.use(async connection => {
      const ended = await readEnded(connection, claimed)
      return record(connection, ended, claimed, notSent('disconnected'), clock, audited)
    })
  }
  const { pharmacy, prescribed } = found
  const result = await provider.transmit(pharmacy, prescribed, cut)
  // If the worker is stopping, nothing is recorded: the lease expires, and the order is sent again.
  if (cut.aborted && 'error' in result) return 'lost'
  return pool.use(connection => record(connection, pharmacy, claimed, result, clock, audited))
}

type EndedConnection = { id: string; organization: string; name: string }

async function readEnded(
  connection: Parameters<typeof readPharmacy>[0],
  { connection: id }: Claimed,
): Promise<EndedConnection> {
  const [row] = await connection.run<EndedConnection>(
    sql`select id, organization, name from pharmacy.connections where id = ${id}`,
  )
  if (row === undefined) throw new Error("the transmission's connection does not exist")
  return row
}

/** Deletes update IDs after a month. An update that is resent later is ignored, because it's older
 *  than its order's last update. */
const forgetUpdates = async (connection: Connection): Promise<number> => {
  const rows = await connection.run(sql`
    delete from pharmacy.updates where ctid = any (array(
      select ctid from pharmacy.updates
       where received_at < now() - ${pharmacyLimits.updateDays}::int * interval '1 day'
       order by received_at, connection, id limit 1000))
    returning 1 as one`)
  return rows.length
}

export function pharmacyJobs(parts: PharmacyParts): readonly Job[] {
  return [
    {
      name: 'pharmacy.transmit',
      everySeconds: 1,
      async run(worker: Worker) {
        const counts = await transmitDue(parts, worker, worker.stopping)
        return Object.keys(counts).length > 0 ? counts : undefined
      },
      stop: () => parts.pool.close(),
    },
    {
      name: 'pharmacy.forget',
      everySeconds: 3600,
      run: async worker => void (await inRounds(worker, () => parts.pool.use(forgetUpdates))),
    },
    {
      name: 'pharmacy.reencrypt',
      everySeconds: 3600,
      async run() {
        const reencrypted = await reencryptPharmacies(parts.pool, parts.encryption)
        return reencrypted > 0 ? { reencrypted } : undefined
      },
    },
  ]
}
