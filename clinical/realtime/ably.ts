// Ably as the provider. Tokens are its JWT form, signed here; messages are published by its REST
// interface, by the worker: a tenant at a time, in order, each under its event's id, by which Ably
// knows a repetition. What cannot be published is given up after a few tries: the channel is a
// notification, and nobody waits for it.

import { liveFirst } from '../jobs/job.ts'
import { limits } from '#contract/limits.ts'
import type { Mode } from '#contract/operation.ts'
import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { eventColumnsOf } from '../events/event.ts'
import { published } from '../pipeline/publish.ts'
import type { Job, Worker } from '../jobs/job.ts'
import { channelNameOf } from './channel.ts'
import type { Realtime } from './realtime.ts'
import { signToken } from './token.ts'

/** A key of Ably's, `<app>.<key>:<secret>`. */
export type AblyKeys = {
  /** It may do nothing but subscribe, and signs tokens. */
  subscribe: string
  /** It may do nothing but publish, and stays with the worker. */
  publish: string
}

export type AblySettings = {
  /** Where its REST interface is. */
  origin: string
  /** Apps of their own, so that no name can lead from one mode into the other. */
  keys: Readonly<Record<Mode, AblyKeys>>
}

export const publishJob = 'realtime.publish'

const lanesAtOnce = 16
const batch = 50
const attemptsMax = 3
const secondsBetweenTries = 3
const answerSecondsMax = 5
/** A revoked key's connections end within thirty seconds. */
const secondsToRevoke = 10
/** How long a lane is left to whoever took it. */
const leaseSeconds = 60

export function ablyRealtime(settings: AblySettings): Realtime {
  return {
    name: 'ably',
    mint(mode, grant) {
      const [id = '', secret = ''] = settings.keys[mode].subscribe.split(':')
      return signToken({ id, secret: new TextEncoder().encode(secret) }, grant)
    },
    // The cursor begins before the first event: a shorter id with the same beginning.
    announce: () => sql`
    announced as (
      insert into realtime_cursors as c (of_tenant, published, latest)
      select t.tenant, left(min(t.event collate "C"), -1), max(t.event collate "C") from taken t
        join tenants s on s.id = t.tenant and s.retired_at is null and s.organization is not null
       group by t.tenant order by t.tenant
      on conflict (of_tenant) do update set latest = greatest(c.latest, excluded.latest)
      returning 1
    )`,
    jobs: [publishing(settings), revoking(settings)],
  }
}

function publishing(settings: AblySettings): Job {
  return {
    name: publishJob,
    everySeconds: 1,
    async run(worker) {
      const done = { messages: 0, dropped: 0 }
      for (const mode of liveFirst) {
        const taken = await worker.pools[mode].use(lane => takeLanes(lane))
        await Promise.all(
          taken.map(async lane => {
            const { messages, dropped } = await publishLane(settings, worker, mode, lane)
            done.messages += messages
            done.dropped += dropped
          }),
        )
        if (taken.length > 0) worker.wake(publishJob)
      }
      return done.messages + done.dropped > 0 ? done : undefined
    },
  }
}

type Taken = {
  tenant: string
  published: string
  latest: string
  attempts: number
  integration: string
  organization: string
}

/** Lanes that have something to say, each to one worker; those of emptied sandboxes go. */
async function takeLanes(lane: Connection): Promise<Taken[]> {
  return lane.run<Taken>(sql`
    with picked as materialized (
      select of_tenant from realtime_cursors where latest > published and due_at <= now()
       order by due_at limit ${lanesAtOnce}::int for update skip locked
    ), gone as (
      delete from realtime_cursors c using picked p, tenants t
       where c.of_tenant = p.of_tenant and t.id = c.of_tenant and t.retired_at is not null
    )
    update realtime_cursors c set due_at = now() + ${leaseSeconds}::int * interval '1 second'
      from picked p join tenants t on t.id = p.of_tenant and t.retired_at is null
     where c.of_tenant = p.of_tenant
    returning c.of_tenant::text as tenant, c.published, c.latest, c.attempts, t.integration,
              t.organization`)
}

type Message = { id: string; type: string; body: string }

async function publishLane(
  settings: AblySettings,
  { pools, note }: Worker,
  mode: Mode,
  taken: Taken,
): Promise<{ messages: number; dropped: number }> {
  const rows = await pools[mode].use(lane => messagesOf(lane, mode, taken))
  const channel = channelNameOf({ ...taken, mode })
  let sent = taken.published
  let messages = 0
  const failure = await (async () => {
    for (const row of rows) {
      const wrong = await post(settings, mode, channel, row)
      if (wrong !== null) return wrong
      sent = row.id
      messages++
    }
    return null
  })()
  const attempts = messages > 0 || failure === null ? 0 : taken.attempts + 1
  const givesUp = attempts >= attemptsMax
  // After a full batch there may be more, also when it ends at the latest event.
  if (failure === null && rows.length < batch) sent = taken.latest
  const next = givesUp ? taken.latest : sent
  await pools[mode].use(lane =>
    lane.run(sql`
      update realtime_cursors
         set published = ${next}, attempts = ${givesUp ? 0 : attempts}::int2,
             due_at = now() + ${failure === null || givesUp ? 0 : secondsBetweenTries}::int * interval '1 second'
       where of_tenant = ${taken.tenant}::bigint and published = ${taken.published}`),
  )
  if (failure !== null) note('realtime.refused', { mode, reason: failure, tries: attempts })
  return { messages, dropped: givesUp ? rows.length : 0 }
}

const messagesOf = (
  lane: Connection,
  mode: Mode,
  { tenant, published: after, latest, organization }: Taken,
) =>
  lane.run<Message>(sql`
    select id, type, ${published(eventColumnsOf(sql`${organization}::text`, mode))} as body
      from events where tenant = ${tenant}::bigint and id > ${after} and id <= ${latest}
     order by id limit ${batch}::int`)

/** What was wrong, in a word; null when it was taken. */
async function post(
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
    // As JSON in a text, its bytes stay those that polling answers.
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

type Ended = { why: string; credential: string }

/** Ends tokens whose key was revoked, or whose clinic took its grant back: the embedded server sees
 *  it by itself, Ably has to be told. A token lives an hour, so that nothing older matters. */
function revoking(settings: AblySettings): Job {
  return {
    name: 'realtime.revoke',
    everySeconds: secondsToRevoke,
    async run({ pools, note }) {
      let revoked = 0
      for (const mode of liveFirst) {
        const ended = await pools[mode].use(lane =>
          lane.run<Ended>(sql`
            select why, credential
              from tokens_to_revoke(${limits.realtimeTokenSeconds}::int * interval '1 second')`),
        )
        if (ended.length === 0) continue
        const wrong = await revoke(settings, mode, ended)
        if (wrong !== null) {
          note('realtime.refused', { mode, reason: wrong })
          continue
        }
        await pools[mode].use(lane =>
          lane.run(sql`
            insert into realtime_revocations (of_grant_or_key)
            select distinct why from unnest(${ended.map(one => one.why)}::text[]) as e (why)
                on conflict do nothing`),
        )
        revoked += ended.length
      }
      return revoked > 0 ? { revoked } : undefined
    },
  }
}

/** What was wrong, in a word; null when all were ended. The key that signed tokens ends them. */
async function revoke(
  { origin, keys }: AblySettings,
  mode: Mode,
  ended: readonly Ended[],
): Promise<string | null> {
  const { subscribe } = keys[mode]
  const [name = ''] = subscribe.split(':')
  const targets = [...new Set(ended.map(one => `revocationKey:${one.credential}`))]
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
