// Webhook table maintenance: deletes deliveries older than thirty days or from reset sandboxes, and
// re-encrypts secrets with the newest key, so an old key can be removed from SEAL_KEYS.

import { type Mode, modes } from '#contract/operation.ts'
import { LaunchError } from '#database/launch-error.ts'
import { type Connection, openPool } from '#database/pool.ts'
import type { Encryption } from '#database/encryption.ts'
import { sql, type Statement } from '#database/sql.ts'
import { recordWork } from '../../audit/record-work.ts'
import { inRounds } from '../../jobs/in-rounds.ts'
import type { Worker } from '../../jobs/job.ts'
import { hasOwnClock } from '../../modes.ts'
import { secretPurpose } from '../../pipeline/encrypted-members.ts'

const batch = 1000

/** Returns how many deliveries were deleted. The API never returns deliveries older than thirty
 *  days. */
export const purgeDeliveries = (
  worker: Pick<Worker, 'pools' | 'stopping'>,
  mode: Mode,
): Promise<number> =>
  inRounds(worker, () => worker.pools[mode].use(connection => purgeOnce(connection, mode)))

async function purgeOnce(connection: Connection, mode: Mode): Promise<number> {
  const remove = async (old: Statement) => {
    const rows = await connection.run<{ many: number }>(sql`
      with gone as (
        delete from deliveries where ctid = any (array(
          select d.ctid ${old} and d.status <> 'pending'
           limit ${batch}::int for update of d skip locked))
        returning tenant
      ), counted as (
        select tenant, count(*)::int as many from gone group by tenant
      )
      select c.many from counted c ${recordWork(mode, 'purgeDeliveries', countOfEach)}`)
    return rows.reduce((sum, { many }) => sum + many, 0)
  }
  const removed = await remove(sql`
    from deliveries d where d.created_at <= now() - interval '30 days'`)
  return hasOwnClock(mode) ? removed + (await remove(oldInAdvancedSandboxes)) : removed
}

const countOfEach: Statement = sql`c.tenant, null, 'deliveries', c.many`

const oldInAdvancedSandboxes: Statement = sql`
  from tenants s join deliveries d on d.tenant = s.id
 where s.ahead_ms > 0
   and d.created_at <= now() + s.ahead_ms * interval '1 ms' - interval '30 days'`

/** Reset sandboxes that aren't emptied yet, with their integration's tenant. */
const resetSandboxes: Statement = sql`
  tenants gone
    join tenants own on own.integration = gone.integration and own.organization is null
     and own.retired_at is null and gone.retired_at is not null and gone.emptied_at is null`

const resetDeliveries: Statement = sql`
  ${resetSandboxes} join deliveries d on d.tenant = own.id and d.event_tenant = gone.id`

/** Deliveries from reset sandboxes that have no row yet. */
const resetFirstAttempts: Statement = sql`
  ${resetSandboxes} join due_deliveries q on q.tenant = own.id and q.event_tenant = gone.id`

/** Returns how many deliveries from reset sandboxes were deleted, and whether more are left. The
 *  API doesn't return them. A running attempt ends without being recorded. */
export async function purgeResetDeliveries(
  connection: Connection,
): Promise<{ removed: number; areLeft: boolean }> {
  // Deletes the due row before its delivery: without a delivery, a due row would stay forever.
  await connection.run(sql`
    delete from due_deliveries where ctid = any (array(
      select q.ctid from ${resetDeliveries}
        join due_deliveries q on q.tenant = d.tenant and q.delivery = d.id
       limit ${batch}::int for update of q skip locked))`)
  await connection.run(sql`
    delete from due_deliveries where ctid = any (array(
      select q.ctid from ${resetFirstAttempts} limit ${batch}::int for update of q skip locked))`)
  const rows = await connection.run(sql`
    delete from deliveries where ctid = any (array(
      select d.ctid from ${resetDeliveries}
       where not exists (select from due_deliveries q
                          where q.tenant = d.tenant and q.delivery = d.id)
       limit ${batch}::int for update of d skip locked))
    returning 1 as one`)
  const left = await connection.run(sql`
    (select from ${resetFirstAttempts} limit 1)
    union all (select from ${resetDeliveries} limit 1)`)
  return { removed: rows.length, areLeft: left.length > 0 }
}

type OldSecretRow = {
  tenant: string
  id: string
  integration: string
  secret: string
  previous_secret: string | null
}

/** Re-encrypts secrets that aren't encrypted with the newest key, and returns how many endpoints
 *  changed. */
export async function reencrypt(
  connection: Connection,
  mode: Mode,
  encryption: Encryption,
): Promise<number> {
  const newest = `sealed.${encryption.keys[0]}.`
  const rows = await connection.run<OldSecretRow>(sql`
    select w.tenant::text as tenant, w.id, s.integration, w.secret, w.previous_secret
      from webhook_endpoints w join tenants s on s.id = w.tenant
     where w.secret not like ${`${newest}%`} or w.previous_secret not like ${`${newest}%`}`)
  let changed = 0
  for (const one of rows) {
    const purpose = secretPurpose({ mode, integration: one.integration })
    // Values that no key decrypts stay as they are.
    const encryptAgain = (older: string) => {
      const opened = older.startsWith(newest) ? null : encryption.open(purpose, older)
      return opened === null ? older : encryption.encrypt(purpose, opened)
    }
    const secret = encryptAgain(one.secret)
    const previous = one.previous_secret === null ? null : encryptAgain(one.previous_secret)
    if (secret === one.secret && previous === one.previous_secret) continue
    const done = await connection.run(sql`
      with changed as (
        update webhook_endpoints
           set secret = ${secret}, previous_secret = ${previous}
         where tenant = ${one.tenant}::bigint and id = ${one.id} and secret = ${one.secret}
           and previous_secret is not distinct from ${one.previous_secret}
        returning tenant, id
      )
      select c.id from changed c ${recordWork(mode, 'reencryptWebhookSecret', sql`c.tenant, c.id`)}`)
    changed += done.length
  }
  return changed
}

/** Refuses to start if SEAL_KEYS lacks a key that secrets are still encrypted with, and names their
 *  endpoints. */
export async function checkEncryptionKeys(
  urls: Readonly<Record<Mode, string>>,
  encryption: Encryption,
): Promise<void> {
  const patterns = encryption.keys.map(key => `sealed.${key}.%`)
  for (const mode of modes) {
    const pool = openPool({
      url: urls[mode],
      size: 1,
      name: 'encryption keys',
      path: `${mode}, public`,
    })
    const rows = await pool.use(connection =>
      connection.run<{ id: string }>(sql`
        select id from webhook_endpoints where not secret like any (${patterns}::text[])
         order by id limit 20`),
    )
    await pool.close()
    if (rows.length === 0) continue
    const ids = rows.map(row => row.id).join(', ')
    throw new LaunchError(
      `SEAL_KEYS has no key for the secrets of ${ids}. Restore the key that encrypted them, and remove it once the worker has re-encrypted them.`,
    )
  }
}
