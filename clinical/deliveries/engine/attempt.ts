// One attempt: builds and signs the body as of now, posts it with no transaction open, and records
// the result in one statement.

import type { Mode } from '#contract/operation.ts'
import { intersect } from '#contract/scopes.ts'
import { noToken } from '#auth/principal.ts'
import type { Connection, ConnectionPool } from '#database/pool.ts'
import type { Encryption } from '#database/encryption.ts'
import { sql } from '#database/sql.ts'
import { itemWithData } from '../../events/event.ts'
import { callOf } from '../../pipeline/handler.ts'
import { answerPurpose, secretPurpose } from '../../pipeline/encrypted-members.ts'
import type { ClaimedDelivery } from './claim.ts'
import { disableFailing } from './disable.ts'
import type { Fields } from '../../jobs/job.ts'
import { notConnected, type Outcome, post, type Receivers } from './post.ts'
import type { AttemptResult } from './record.ts'
import type { Recorder } from './batch-recorder.ts'
import { deliveryHeaders, signature } from './sign.ts'

export type Sender = {
  encryption: Encryption
  /** Decrypts, with a cache. */
  open: Encryption['open']
  record: Recorder
  receivers: Receivers
  note(event: string, fields: Fields): void
}

export type AttemptSignals = {
  cut: AbortSignal
  /** Called when the socket is no longer needed. */
  answered(): void
}

/** After this many claims without a recorded attempt the delivery counts as failed: it may have
 *  crashed each worker that claimed it. */
export const claimsMax = 3

export async function attempt(
  sender: Sender,
  pool: ConnectionPool,
  mode: Mode,
  claimed: ClaimedDelivery,
  { cut, answered }: AttemptSignals,
): Promise<void> {
  const claimedAt = performance.now()
  const outcome = await send(sender, pool, mode, claimed, { claimedAt, cut })
  answered()
  const { status, milliseconds, error } = outcome
  if (cut.aborted && status === null) throw new Error('the worker ends')
  const succeeded = status !== null && status >= 200 && status < 300
  const attempted: AttemptResult = {
    succeeded,
    sent: claimed.url !== null && claimed.body !== null,
    status,
    milliseconds,
    address: outcome.address,
    signature: outcome.address === null ? null : outcome.signature,
    resolve: outcome.resolveMilliseconds,
    ...encryptedAnswer(sender, mode, claimed, outcome),
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
    const disabled = await pool.use(connection => disableFailing(connection, mode, claimed))
    if (disabled) sender.note('webhook.disabled', { mode, endpoint: claimed.webhook_endpoint })
  }
}

type Result = Omit<Outcome, 'error'> & {
  signature: string | null
  error: Outcome['error'] | 'endpoint_deleted' | 'not_granted'
}

const nothingSent = (error: Result['error']): Result => ({
  ...notConnected,
  signature: null,
  status: null,
  milliseconds: 0,
  headers: null,
  answer: null,
  error,
})

/** A receiver may answer anything, so nothing of it is stored as it is. */
function encryptedAnswer(
  { encryption }: Sender,
  mode: Mode,
  { integration }: ClaimedDelivery,
  { headers, answer }: Result,
) {
  const purpose = answerPurpose({ integration, mode })
  return {
    headers: headers === null ? null : encryption.encrypt(purpose, JSON.stringify(headers)),
    answer: answer === null ? null : encryption.encrypt(purpose, answer),
  }
}

async function send(
  sender: Sender,
  pool: ConnectionPool,
  mode: Mode,
  claimed: ClaimedDelivery,
  { claimedAt, cut }: { claimedAt: number; cut: AbortSignal },
): Promise<Result> {
  const { url, body: eventBody } = claimed
  if (url === null) return nothingSent('endpoint_deleted')
  if (eventBody === null) return nothingSent(claimed.is_granted ? null : 'not_granted')
  if (claimed.claims > claimsMax) return nothingSent('connection_failed')
  const body = claimed.include_resource
    ? await pool.use(connection => bodyWithData(connection, mode, claimed))
    : eventBody
  const secrets = [claimed.secret, claimed.previous_secret]
    .filter(encrypted => encrypted !== null)
    .map(encrypted =>
      sender.open(secretPurpose({ mode, integration: claimed.integration }), encrypted),
    )
  if (!secrets.every(secret => secret !== null)) {
    throw new Error(`no key opens the secret of ${claimed.webhook_endpoint}`)
  }
  const seconds = Math.floor((claimed.moment + performance.now() - claimedAt) / 1000)
  const signed = signature(secrets, seconds, body)
  const { id, event, event_type, replay } = claimed
  const headers = deliveryHeaders({ id, event, event_type, replay, signature: signed })
  const outcome = await post({ url, mode, headers, body }, sender.receivers, cut)
  return Object.assign(outcome, { signature: signed })
}

type BodyRow = { body: string }

/** The event with its resource as of now, limited to what the endpoint may embed now. It is read
 *  as the event's own tenant, like `getEvent`. */
async function bodyWithData(
  connection: Connection,
  mode: Mode,
  claimed: ClaimedDelivery,
): Promise<string> {
  const { event_tenant: tenant, integration, scopes } = claimed
  const organization = {
    id: claimed.organization,
    name: '',
    slug: '',
    kind: '',
    status: '',
    formulary: null,
  }
  const call = callOf<'getEvent'>(
    {
      ...noToken,
      credential: claimed.webhook_endpoint,
      integration,
      mode,
      tenant,
      organization,
      scopes: intersect(scopes, scopes),
    },
    { realNow: claimed.moment },
    () => '',
  )
  await connection.run(sql`select set_config('app.tenant', ${tenant}, false)`)
  const [row] = await connection.run<BodyRow>(sql`
    select ${itemWithData(call)} as body from events e
     where e.tenant = ${tenant}::bigint and e.id = ${claimed.event}`)
  return row?.body ?? claimed.body ?? ''
}
