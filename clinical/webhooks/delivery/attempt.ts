// One attempt, whole: the body as it is now, signed now, posted with no transaction open, and what
// became of it recorded in one statement.

import type { Mode } from '#contract/operation.ts'
import { intersect } from '#contract/scopes.ts'
import type { Connection, ConnectionPool } from '#database/pool.ts'
import type { Encryption } from '#database/encryption.ts'
import { sql } from '#database/sql.ts'
import { itemWithData } from '../../events/event.ts'
import { callOf } from '../../pipeline/handler.ts'
import { answerPurpose, secretPurpose } from '../../pipeline/encrypted-members.ts'
import type { Claimed } from './claim.ts'
import { disableFailing } from './disable.ts'
import type { Fields } from '../../jobs/job.ts'
import { type Outcome, post, type Receivers } from './post.ts'
import type { Attempted } from './record.ts'
import type { Recorder } from './batch-recorder.ts'
import { signature } from './sign.ts'

export type Sender = {
  encryption: Encryption
  /** Opens what the seal sealed. */
  open: Encryption['open']
  record: Recorder
  receivers: Receivers
  note(event: string, fields: Fields): void
}

export type Under = {
  cut: AbortSignal
  /** Called when no connection is needed any more. */
  answered(): void
}

/** Claims without an attempt on record: whoever took it died, of it or of something else. */
export const claimsMax = 3

export async function attempt(
  sender: Sender,
  pool: ConnectionPool,
  mode: Mode,
  claimed: Claimed,
  { cut, answered }: Under,
): Promise<void> {
  const claimedAt = performance.now()
  const outcome = await outcomeOf(sender, pool, mode, claimed, { claimedAt, cut })
  answered()
  const { status, milliseconds, error } = outcome
  if (cut.aborted && status === null) throw new Error('the worker ends')
  const succeeded = status !== null && status >= 200 && status < 300
  const attempted: Attempted = {
    succeeded,
    sent: claimed.url !== null && claimed.body !== null,
    status,
    milliseconds,
    answer:
      outcome.answer === null
        ? null
        : sender.encryption.encrypt(answerPurpose({ ...claimed, mode }), outcome.answer),
    error,
  }
  const recorded = await sender.record({ claimed, attempted })
  sender.note('webhook.attempted', {
    mode,
    endpoint: claimed.webhook_endpoint,
    event_id: claimed.event,
    type: claimed.event_type,
    delivery: claimed.id,
    attempt: claimed.attempt + 1,
    outcome: recorded ?? 'superseded',
    status: status ?? undefined,
    error: error ?? undefined,
    ms: milliseconds,
  })
  if (recorded === 'failed') {
    const disabled = await pool.use(connection => disableFailing(connection, claimed))
    if (disabled) sender.note('webhook.disabled', { mode, endpoint: claimed.webhook_endpoint })
  }
}

type Result = Omit<Outcome, 'error'> & { error: Outcome['error'] | 'endpoint_deleted' }

const nothingSent = (error: Result['error']): Result => ({
  status: null,
  milliseconds: 0,
  answer: null,
  error,
})

async function outcomeOf(
  sender: Sender,
  pool: ConnectionPool,
  mode: Mode,
  claimed: Claimed,
  { claimedAt, cut }: { claimedAt: number; cut: AbortSignal },
): Promise<Result> {
  const { url, body: thin } = claimed
  if (url === null) return nothingSent('endpoint_deleted')
  if (thin === null) return nothingSent(null)
  if (claimed.claims > claimsMax) return nothingSent('connection_failed')
  const body = claimed.include_resource
    ? await pool.use(connection => bodyWithData(connection, mode, claimed))
    : thin
  const secrets = [claimed.secret, claimed.previous_secret]
    .filter(encrypted => encrypted !== null)
    .map(encrypted => sender.open(secretPurpose({ ...claimed, mode }), encrypted))
  if (!secrets.every(secret => secret !== null)) {
    throw new Error(`no key opens the secret of ${claimed.webhook_endpoint}`)
  }
  const seconds = Math.floor((claimed.moment + performance.now() - claimedAt) / 1000)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Clinical-Integrations/1',
    'accept-encoding': 'identity',
    'service-signature': signature(secrets, seconds, body),
    'service-event-id': claimed.event,
    'service-event-type': claimed.event_type,
    'service-delivery-id': claimed.id,
  }
  return post({ url, mode, headers, body }, sender.receivers, cut)
}

type Opened = { body: string }

/** The event with its resource as it is now, of what the clinic lets the integration read now. It
 *  is read in the event's own tenant, as a poll of it would be. */
async function bodyWithData(connection: Connection, mode: Mode, claimed: Claimed): Promise<string> {
  const { event_tenant: tenant, integration, scopes } = claimed
  const organization = { id: claimed.organization, name: '', slug: '', kind: '', status: '' }
  const call = callOf<'getEvent'>(
    {
      credential: claimed.webhook_endpoint,
      integration,
      mode,
      tenant,
      organization,
      scopes: intersect(scopes, scopes),
    },
    claimed.moment,
    () => '',
  )
  await connection.run(sql`select set_config('app.tenant', ${tenant}, false)`)
  const [row] = await connection.run<Opened>(sql`
    select ${itemWithData(call)} as body from events e
     where e.tenant = ${tenant}::bigint and e.id = ${claimed.event}`)
  return row?.body ?? claimed.body ?? ''
}
