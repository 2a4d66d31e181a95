// The idempotency store for every protocol whose requests may be retried. A row is inserted before
// the work and gets the response after it. The unique name lets one of several concurrent requests
// do the work; the others are refused as in flight, or get the same bytes.
import type { ConnectionPool } from '#database/pool.ts'
import { nothing, sql, type Statement } from '#database/sql.ts'
import { hmacOf, encryption, decrypt } from './encrypt.ts'

/** Identifies a request in its protocol. */
export type Call = {
  /** The protocol and its endpoint. */
  readonly scope: string
  /** The key chosen by the caller. */
  readonly key: string
  /** The request's content in canonical form (`canonical`). */
  readonly content: string
}

export type Answer = { readonly status: number; readonly body: string }

export type Outcome =
  | { readonly kind: 'answered'; readonly answer: Answer; readonly replayed: boolean }
  /** The key was used for a request with other content. */
  | { readonly kind: 'conflict' }
  /** The same request is being processed. */
  | { readonly kind: 'in_flight'; readonly retrySeconds: number }

export type IdempotencyStore = {
  /**
   * Does the work unless it's done or in flight. Only a success is stored: after a refusal the key
   * may be used again, because nothing happened.
   */
  once(call: Call, work: () => Promise<Answer>): Promise<Outcome>
  /** Stores the response to a request that's safe to repeat concurrently; the first response
   *  stays. */
  keep(call: Call, answer: Answer): Promise<Outcome>
  /** The stored response, if there is one. */
  find(call: Call): Promise<Outcome | undefined>
}

type IdempotencyStoreOptions = {
  readonly pool: ConnectionPool
  readonly secret: string
  randomBytes(count: number): Uint8Array
}

/** Longer than any work takes, because statements time out within seconds. */
const leaseSeconds = 30
const retentionDays = 7
/** How many times to read a row that a concurrent request is writing or deleting. */
const readsMax = 3
const callsPerSweep = 500

type Row = {
  mine: boolean
  body_hmac: Uint8Array
  status: number | null
  response: Uint8Array | null
}

export function createIdempotencyStore(parts: IdempotencyStoreOptions): IdempotencyStore {
  const { pool, secret, randomBytes } = parts
  let calls = 0
  const run = async <R extends object>(statement: Statement): Promise<R[]> =>
    (await pool.use(connection => connection.run<Record<string, unknown>>(statement))) as R[]

  const namesOf = (call: Call): Names => ({
    name: hmacOf(secret, 'reply name', call.scope, call.key),
    content: hmacOf(secret, 'reply body', call.scope, call.content),
    key: hmacOf(secret, 'reply seal', call.scope, call.key, call.content),
  })
  const encrypted = ({ key, name }: Names, text: string) =>
    encryption(key, name, randomBytes(12), text)

  const outcomeOf = (row: Row, names: Names): Outcome => {
    if (!names.content.equals(row.body_hmac)) return { kind: 'conflict' }
    if (row.status === null || row.response === null) return { kind: 'in_flight', retrySeconds: 1 }
    const body = decrypt(names.key, names.name, row.response)
    return { kind: 'answered', answer: { status: row.status, body }, replayed: true }
  }

  /** Inserts the row, or returns the existing one. */
  const claim = async (names: Names, turn: Uint8Array, answer?: Answer): Promise<Row> => {
    if (++calls % callsPerSweep === 0) await run(deleteExpired)
    const body = answer === undefined ? undefined : encrypted(names, answer.body)
    for (let reads = 0; reads < readsMax; reads++) {
      const [row] = await run<Row>(claimRow(names, turn, answer?.status ?? null, body ?? null))
      if (row !== undefined) return row
    }
    return { mine: false, body_hmac: names.content, status: null, response: null }
  }

  return {
    async once(call, work) {
      const names = namesOf(call)
      const turn = randomBytes(16).slice()
      const row = await claim(names, turn)
      if (!row.mine) return outcomeOf(row, names)
      let answer: Answer | undefined
      try {
        answer = await work()
      } finally {
        // Failed work also releases the row, so a retry doesn't wait for the lease.
        const mine = sql`key_hmac = ${names.name} and lease = ${turn} and status is null`
        const isSuccess = answer !== undefined && answer.status < 300
        await run(
          isSuccess && answer !== undefined
            ? sql`update site.idempotency_records set status = ${answer.status}::smallint,
                    lease_until = null, response = ${encrypted(names, answer.body)} where ${mine}`
            : sql`delete from site.idempotency_records where ${mine}`,
        )
      }
      return { kind: 'answered', answer, replayed: false }
    },
    async keep(call, answer) {
      const names = namesOf(call)
      const row = await claim(names, randomBytes(16).slice(), answer)
      return row.mine ? { kind: 'answered', answer, replayed: false } : outcomeOf(row, names)
    },
    async find(call) {
      const names = namesOf(call)
      const [row] = await run<Row>(selectRow(names, nothing))
      return row === undefined ? undefined : outcomeOf(row, names)
    },
  }
}

/** Stores nothing, so every request is the first with its key. */
export const noStore: IdempotencyStore = {
  once: async (_, work) => ({ kind: 'answered', answer: await work(), replayed: false }),
  keep: async (_, answer) => ({ kind: 'answered', answer, replayed: false }),
  find: async () => undefined,
}

type Names = { readonly name: Buffer; readonly content: Buffer; readonly key: Buffer }

const selectRow = ({ name }: Names, unless: Statement) => sql`
  select false as mine, body_hmac, status, response from site.idempotency_records
  where key_hmac = ${name} and expires_at > clock_timestamp() ${unless}`

/**
 * Claims the row in one statement if the name is free, the row has expired, or the lease of an
 * unfinished request has ended. Returns no row if a concurrent request inserted it after the
 * snapshot.
 */
const claimRow = (
  names: Names,
  turn: Uint8Array,
  status: number | null,
  answer: Uint8Array | null,
) => sql`
  with taken as (
    insert into site.idempotency_records as had
           (key_hmac, body_hmac, lease, lease_until, status, response, expires_at)
    select ${names.name}::bytea, ${names.content}::bytea, ${turn}::bytea,
           case when ${status}::smallint is null
                then clock_timestamp() + make_interval(secs => ${leaseSeconds}::int) end,
           ${status}::smallint, ${answer}::bytea,
           clock_timestamp() + make_interval(days => ${retentionDays}::int)
    on conflict (key_hmac) do update
      set (body_hmac, lease, lease_until, status, response, expires_at) =
          (excluded.body_hmac, excluded.lease, excluded.lease_until, excluded.status,
           excluded.response, excluded.expires_at)
      where had.expires_at <= clock_timestamp() or had.lease_until <= clock_timestamp()
    returning body_hmac, status, response
  )
  select true as mine, body_hmac, status, response from taken
  union all
  (${selectRow(names, sql`and not exists (select from taken)`)})`

const deleteExpired = sql`
  delete from site.idempotency_records where key_hmac = any (array(
    select key_hmac from site.idempotency_records where expires_at <= clock_timestamp()
     order by expires_at limit 1000 for update skip locked))`
