// Ably as the realtime provider. Tokens are JWTs in Ably's format, signed here. The worker
// publishes messages over Ably's REST interface, in order for each tenant, with the event's ID,
// which Ably uses to deduplicate. A message is dropped after a few failed attempts: realtime only
// notifies, and clients read missed events from GET /v1/events.

import { liveFirst } from '../jobs/job.ts'
import { limits } from '#contract/limits.ts'
import type { Mode } from '#contract/operation.ts'
import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { eventColumnsOf } from '../events/event.ts'
import { published } from '../pipeline/publish.ts'
import type { Job, Worker } from '../jobs/job.ts'
import { channelNameOf } from '#contract/realtime.ts'
import { signToken } from './token.ts'
import type { Realtime } from '../services.ts'

/** Ably keys, `<app>.<key>:<secret>`. */
type AblyKeys = {
  /** A subscribe-only key, which signs tokens. */
  subscribe: string
  /** A publish-only key, which only the worker uses. */
  publish: string
}

export type AblySettings = {
  /** The origin of Ably's REST interface. */
  origin: string
  /** Each mode has its own Ably app, so no channel name reaches the other mode. */
  keys: Readonly<Record<Mode, AblyKeys>>
}

export const publishJob = 'realtime.publish'

const cursorsAtOnce = 16
const batch = 50
const attemptsMax = 3
const secondsBetweenTries = 3
const answerSecondsMax = 5
/** A revoked key's connections end within thirty seconds. */
const secondsToRevoke = 10
const revokeJob = 'realtime.revoke'
/** The most that Ably revokes in one request. */
const targetsMax = 100
/** How long a worker may hold a claimed cursor. */
const leaseSeconds = 60

export function ablyRealtime(settings: AblySettings): Realtime {
  return {
    name: 'ably',
    mint(mode, grant) {
      const [id = '', secret = ''] = settings.keys[mode].subscribe.split(':')
      return signToken({ id, secret: new TextEncoder().encode(secret) }, grant)
    },
    // If a cursor has no unpublished events, it moves to just before the first event taken here,
    // because events written while no token existed have no subscribers. The position is that
    // event's ID without its last character.
    announce: () => sql`
    announced as (
      insert into realtime_cursors as c (of_tenant, published, latest)
      select t.tenant, left(min(t.event collate "C"), -1), max(t.event collate "C") from taken t
       where t.realtime group by t.tenant order by t.tenant
      on conflict (of_tenant) do update set latest = greatest(c.latest, excluded.latest),
        published = case when c.published < c.latest then c.published
                         else greatest(c.published, excluded.published) end
      returning 1
    )`,
    jobs: [createPublishJob(settings), createRevokeJob(settings)],
  }
}

function createPublishJob(settings: AblySettings): Job {
  return {
    name: publishJob,
    everySeconds: 1,
    async run(worker) {
      const done = { messages: 0, dropped: 0 }
      for (const mode of liveFirst) {
        const claimed = await worker.pools[mode].use(connection => claimCursors(connection))
        await Promise.all(
          claimed.map(async cursor => {
            const { messages, dropped } = await publishCursor(settings, worker, mode, cursor)
            done.messages += messages
            done.dropped += dropped
          }),
        )
        if (claimed.length > 0) worker.wake(publishJob)
      }
      return done.messages + done.dropped > 0 ? done : undefined
    },
  }
}

type CursorRow = {
  tenant: string
  /** The last published event's ID. */
  last: string
  latest: string
  attempts: number
  integration: string
  organization: string
}

/** Claims cursors with unpublished events, and deletes reset sandboxes' cursors. */
async function claimCursors(connection: Connection): Promise<CursorRow[]> {
  return connection.run<CursorRow>(sql`
    with picked as materialized (
      select of_tenant from realtime_cursors where latest > published and due_at <= now()
       order by due_at limit ${cursorsAtOnce}::int for update skip locked
    ), gone as (
      delete from realtime_cursors c using picked p, tenants t
       where c.of_tenant = p.of_tenant and t.id = c.of_tenant and t.retired_at is not null
    )
    update realtime_cursors c set due_at = now() + ${leaseSeconds}::int * interval '1 second'
      from picked p join tenants t on t.id = p.of_tenant and t.retired_at is null
     where c.of_tenant = p.of_tenant
    returning c.of_tenant::text as tenant, c.published as last, c.latest, c.attempts, t.integration,
              t.organization`)
}

type Message = { id: string; type: string; body: string }

async function publishCursor(
  settings: AblySettings,
  { pools, note }: Worker,
  mode: Mode,
  cursor: CursorRow,
): Promise<{ messages: number; dropped: number }> {
  const rows = await pools[mode].use(connection => messagesOf(connection, mode, cursor))
  const channel = channelNameOf({ ...cursor, mode })
  let last = cursor.last
  let messages = 0
  const failure = await (async () => {
    for (const row of rows) {
      const reason = await postMessage(settings, mode, channel, row)
      if (reason !== null) return reason
      last = row.id
      messages++
    }
    return null
  })()
  const attempts = messages > 0 || failure === null ? 0 : cursor.attempts + 1
  const givesUp = attempts >= attemptsMax
  // After a full batch there may be more events, even when it ended at `latest`.
  if (failure === null && rows.length < batch) last = cursor.latest
  const next = givesUp ? cursor.latest : last
  await pools[mode].use(connection =>
    connection.run(sql`
      update realtime_cursors
         set published = ${next}, attempts = ${givesUp ? 0 : attempts}::int2,
             due_at = now() + ${failure === null || givesUp ? 0 : secondsBetweenTries}::int * interval '1 second'
       where of_tenant = ${cursor.tenant}::bigint and published = ${cursor.last}`),
  )
  if (failure !== null) note('realtime.refused', { mode, reason: failure, tries: attempts })
  return { messages, dropped: givesUp ? rows.length : 0 }
}

const messagesOf = (
  connection: Connection,
  mode: Mode,
  { tenant, last, latest, organization }: CursorRow,
) =>
  connection.run<Message>(sql`
    select id, type, ${published(eventColumnsOf(sql`${organization}::text`, mode))} as body
      from events where tenant = ${tenant}::bigint and id > ${last} and id <= ${latest}
     order by id limit ${batch}::int`)

/** Publishes a message. Returns why it failed, or null. */
async function postMessage(
  { origin, keys }: AblySettings,
  mode: Mode,
  channel: string,
  { id, type, body }: Message,
): Promise<string | null> {
  return fetch(`${origin}/channels/${encodeURIComponent(channel)}/messages`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(keys[mode].publish).toString('base64')}`,
      'content-type': 'application/json',
    },
    // As a string, the event keeps exactly the bytes that polling returns.
    body: JSON.stringify({ id, name: type, data: body, encoding: 'json' }),
    signal: AbortSignal.timeout(answerSecondsMax * 1000),
  }).then(
    async answer => {
      await answer.body?.cancel()
      return answer.ok ? null : `status ${answer.status}`
    },
    () => 'unreachable',
  )
}

type RevokedToken = { why: string; credential: string }

/** Revokes the tokens of revoked keys and grants at Ably. The embedded provider checks keys and
 *  grants itself. A token is valid for an hour, so older revocations don't matter. */
function createRevokeJob(settings: AblySettings): Job {
  return {
    name: revokeJob,
    everySeconds: secondsToRevoke,
    async run({ pools, note, wake }) {
      let revoked = 0
      for (const mode of liveFirst) {
        const ended = await pools[mode].use(connection =>
          connection.run<RevokedToken>(sql`
            select why, credential
              from realtime_tokens_to_revoke(${limits.realtimeTokenSeconds}::int * interval '1 second')`),
        )
        if (ended.length === 0) continue
        const reason = await revoke(settings, mode, ended)
        if (reason !== null) {
          note('realtime.refused', { mode, reason })
          continue
        }
        await pools[mode].use(connection =>
          connection.run(sql`
            insert into realtime_revocations (of_grant_or_key)
            select distinct why from unnest(${ended.map(one => one.why)}::text[]) as e (why)
                on conflict do nothing`),
        )
        revoked += ended.length
        // There may be more.
        if (ended.length >= targetsMax) wake(revokeJob)
      }
      return revoked > 0 ? { revoked } : undefined
    },
  }
}

/** Revokes tokens with the key that signed them. Returns why it failed, or null. */
async function revoke(
  settings: AblySettings,
  mode: Mode,
  ended: readonly RevokedToken[],
): Promise<string | null> {
  const targets = [...new Set(ended.map(one => `revocationKey:${one.credential}`))]
  for (let at = 0; at < targets.length; at += targetsMax) {
    const reason = await sendTargets(settings, mode, targets.slice(at, at + targetsMax))
    if (reason !== null) return reason
  }
  return null
}

async function sendTargets(
  { origin, keys }: AblySettings,
  mode: Mode,
  targets: readonly string[],
): Promise<string | null> {
  const { subscribe } = keys[mode]
  const [name = ''] = subscribe.split(':')
  return fetch(`${origin}/keys/${name}/revokeTokens`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(subscribe).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ targets }),
    signal: AbortSignal.timeout(answerSecondsMax * 1000),
  }).then(
    async answer => {
      const { failureCount = 0 } = (await answer.json().catch(() => ({}))) as {
        failureCount?: number
      }
      if (!answer.ok) return `status ${answer.status}`
      return failureCount > 0 ? `${failureCount} not revoked` : null
    },
    () => 'unreachable',
  )
}
