// An attempt builds and signs the current body, posts it with no transaction open, and records the
// result in one statement. It sends one delivery to an endpoint, or a batch to a destination.

import type { Mode } from '#contract/operation.ts'
import { intersect } from '#contract/scopes.ts'
import { noToken } from '#auth/principal.ts'
import type { Connection, ConnectionPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { itemWithData } from '../../events/event.ts'
import { callOf } from '../../pipeline/handler.ts'
import { answerPurpose } from '../../pipeline/encrypted-members.ts'
import type { ClaimedDelivery } from './claim.ts'
import { disableFailing } from './disable.ts'
import { post } from './post.ts'
import type { AttemptResult } from './record.ts'
import { nothingSent, openSecret, type Result, type Sender } from './sender.ts'
import { type DestinationMessage, sendToDestination } from './send-to-destination.ts'
import { deliveryHeaders, signature } from './sign.ts'

export type AttemptSignals = {
  cut: AbortSignal
  /** Called when the socket is no longer needed. */
  answered(): void
}

/** A delivery claimed this many times without a recorded attempt counts as failed, because it may
 *  have crashed each worker that claimed it. */
export const claimsMax = 3

export async function attempt(
  sender: Sender,
  pool: ConnectionPool,
  mode: Mode,
  batch: readonly ClaimedDelivery[],
  { cut, answered }: AttemptSignals,
): Promise<void> {
  const claimedAt = performance.now()
  const outcomes = await send(sender, pool, mode, batch, { claimedAt, cut })
  answered()
  if (cut.aborted && outcomes.some(({ status }) => status === null)) {
    throw new Error('the worker is stopping')
  }
  await Promise.all(outcomes.map((outcome, at) => keep(sender, pool, mode, batch[at], outcome)))
}

/** Records the result of one delivery. */
async function keep(
  sender: Sender,
  pool: ConnectionPool,
  mode: Mode,
  claimed: ClaimedDelivery | undefined,
  outcome: Result,
): Promise<void> {
  if (claimed === undefined) return
  const { status, milliseconds, error } = outcome
  const succeeded = status !== null && status >= 200 && status < 300 && error === null
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

/** A receiver's response may contain anything, so it's stored encrypted. */
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

/** Returns why a delivery can't be sent, or null if it can. */
function unsent({ url, body, is_granted, claims }: ClaimedDelivery): Result | null {
  if (url === null) return nothingSent('endpoint_deleted')
  if (body === null) return nothingSent(is_granted ? null : 'not_granted')
  return claims > claimsMax ? nothingSent('connection_failed') : null
}

type Times = { claimedAt: number; cut: AbortSignal }

/** Returns the result of each delivery in a batch, in order. */
async function send(
  sender: Sender,
  pool: ConnectionPool,
  mode: Mode,
  batch: readonly ClaimedDelivery[],
  times: Times,
): Promise<Result[]> {
  const results = batch.map(unsent)
  const messages: DestinationMessage[] = []
  const bodies = await bodiesOf(
    pool,
    mode,
    batch.filter((_, at) => results[at] === null),
  )
  for (const [at, claimed] of batch.entries()) {
    if (results[at] !== null) continue
    const body = bodies.get(claimed.event) ?? claimed.body ?? ''
    if (claimed.kind === 'https') results[at] = await sendSigned(sender, mode, claimed, body, times)
    else messages.push({ at, claimed, body })
  }
  if (messages.length > 0) {
    const sent = await sendToDestination(sender, mode, messages, times)
    for (const { at, result } of sent) results[at] = result
  }
  return results.map(one => one ?? nothingSent('connection_failed'))
}

/** Returns the bodies that embed resources, by event: one query for each tenant. */
async function bodiesOf(pool: ConnectionPool, mode: Mode, batch: readonly ClaimedDelivery[]) {
  const bodies = new Map<string, string>()
  const embedding = batch.filter(one => one.include_resource)
  for (const some of Map.groupBy(embedding, one => one.event_tenant).values()) {
    const rows = await pool.use(connection => bodiesWithData(connection, mode, some))
    for (const { event, body } of rows) bodies.set(event, body)
  }
  return bodies
}

/** Posts to an https endpoint. */
async function sendSigned(
  sender: Sender,
  mode: Mode,
  claimed: ClaimedDelivery,
  body: string,
  { claimedAt, cut }: Times,
): Promise<Result> {
  const secrets = [claimed.secret, claimed.previous_secret]
    .filter(encrypted => encrypted !== null)
    .map(encrypted => openSecret(sender, mode, claimed, encrypted))
  const seconds = Math.floor((claimed.moment + performance.now() - claimedAt) / 1000)
  const signed = signature(secrets, seconds, body)
  const { id, event, event_type, replay, url } = claimed
  const headers = deliveryHeaders({ id, event, event_type, replay, signature: signed })
  const outcome = await post({ url: url ?? '', mode, headers, body }, sender.receivers, cut)
  return Object.assign(outcome, { signature: signed })
}

type BodyRow = { event: string; body: string }

/** Returns one endpoint's events with their current resources, limited to resources that the
 *  endpoint may embed now. Resources are read as the events' own tenant, as in `getEvent`. */
async function bodiesWithData(
  connection: Connection,
  mode: Mode,
  batch: readonly ClaimedDelivery[],
): Promise<readonly BodyRow[]> {
  const [claimed] = batch
  if (claimed === undefined) return []
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
  const events = batch.map(({ event }) => event)
  return connection.run<BodyRow>(sql`
    select e.id as event, ${itemWithData(call)} as body from events e
     where e.tenant = ${tenant}::bigint and e.id = any (${events}::text[])`)
}
