// One store of answers for every protocol that lets a call be sent again. A row is taken before the
// work and answered after it; the unique name decides who of many works, and the others are told
// that it is under way, or get the same bytes.
import type { ConnectionPool } from '#database/pool.ts'
import { nothing, sql, type Statement } from '#database/sql.ts'
import { markOf, encryption, decrypt } from './encrypt.ts'

/** A call as its protocol knows it again. */
export type Call = {
  /** Which protocol, and which of its endpoints. */
  readonly scope: string
  /** What the caller calls it. */
  readonly key: string
  /** What it says, in one spelling (`canonical`). */
  readonly said: string
}

export type Answer = { readonly status: number; readonly body: string }

export type Outcome =
  | { readonly kind: 'answered'; readonly answer: Answer; readonly replayed: boolean }
  /** The name was used for a call that says something else. */
  | { readonly kind: 'conflict' }
  /** Somebody works on this very call. */
  | { readonly kind: 'in_flight'; readonly retrySeconds: number }

export type IdempotencyStore = {
  /**
   * Does the work unless it is done or under way. Only a success is kept: after a refusal the same
   * name is free, because nothing happened under it.
   */
  once(call: Call, work: () => Promise<Answer>): Promise<Outcome>
  /** Keeps the answer of a call that harms nobody when two do it at once; the first one stands. */
  keep(call: Call, answer: Answer): Promise<Outcome>
  /** What is kept under this name, if anything. */
  find(call: Call): Promise<Outcome | undefined>
}

export type IdempotencyStoreOptions = {
  readonly pool: ConnectionPool
  readonly secret: string
  randomBytes(count: number): Uint8Array
}

/** Longer than any work takes: its statements are cut off after seconds. */
const turnSeconds = 30
const keptDays = 7
/** How often a name is looked at again that another call is just about to write or drop. */
const looksMax = 3
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
    name: markOf(secret, 'reply name', call.scope, call.key),
    said: markOf(secret, 'reply body', call.scope, call.said),
    key: markOf(secret, 'reply seal', call.scope, call.key, call.said),
  })
  const encrypted = ({ key, name }: Names, text: string) =>
    encryption(key, name, randomBytes(12), text)

  const outcomeOf = (row: Row, names: Names): Outcome => {
    if (!names.said.equals(row.body_hmac)) return { kind: 'conflict' }
    if (row.status === null || row.response === null) return { kind: 'in_flight', retrySeconds: 1 }
    const body = decrypt(names.key, names.name, row.response)
    return { kind: 'answered', answer: { status: row.status, body }, replayed: true }
  }

  /** Writes the row, or answers the one that stands. */
  const take = async (names: Names, turn: Uint8Array, answer?: Answer): Promise<Row> => {
    if (++calls % callsPerSweep === 0) await run(expired)
    const kept = answer === undefined ? undefined : encrypted(names, answer.body)
    for (let looks = 0; looks < looksMax; looks++) {
      const [row] = await run<Row>(taking(names, turn, answer?.status ?? null, kept ?? null))
      if (row !== undefined) return row
    }
    return { mine: false, body_hmac: names.said, status: null, response: null }
  }

  return {
    async once(call, work) {
      const names = namesOf(call)
      const turn = randomBytes(16).slice()
      const row = await take(names, turn)
      if (!row.mine) return outcomeOf(row, names)
      let answer: Answer | undefined
      try {
        answer = await work()
      } finally {
        // Work that failed gives its turn up as well: whoever asks again need not wait for it.
        const mine = sql`key_hmac = ${names.name} and lease = ${turn} and status is null`
        const isKept = answer !== undefined && answer.status < 300
        await run(
          isKept && answer !== undefined
            ? sql`update site.idempotency_records set status = ${answer.status}::smallint,
                    lease_until = null, response = ${encrypted(names, answer.body)} where ${mine}`
            : sql`delete from site.idempotency_records where ${mine}`,
        )
      }
      return { kind: 'answered', answer, replayed: false }
    },
    async keep(call, answer) {
      const names = namesOf(call)
      const row = await take(names, randomBytes(16).slice(), answer)
      return row.mine ? { kind: 'answered', answer, replayed: false } : outcomeOf(row, names)
    },
    async find(call) {
      const names = namesOf(call)
      const [row] = await run<Row>(standing(names, nothing))
      return row === undefined ? undefined : outcomeOf(row, names)
    },
  }
}

/** Where there is nowhere to keep anything: every call is the first of its name. */
export const noStore: IdempotencyStore = {
  once: async (_, work) => ({ kind: 'answered', answer: await work(), replayed: false }),
  keep: async (_, answer) => ({ kind: 'answered', answer, replayed: false }),
  find: async () => undefined,
}

type Names = { readonly name: Buffer; readonly said: Buffer; readonly key: Buffer }

const standing = ({ name }: Names, unless: Statement) => sql`
  select false as mine, body_hmac, status, response from site.idempotency_records
  where key_hmac = ${name} and expires_at > clock_timestamp() ${unless}`

/**
 * One statement: the row is ours if the name was free, if its days are over, or if whoever had it
 * gave no answer in time. It finds nothing when another call wrote the row after it began to look.
 */
const taking = (
  names: Names,
  turn: Uint8Array,
  status: number | null,
  answer: Uint8Array | null,
) => sql`
  with taken as (
    insert into site.idempotency_records as had
           (key_hmac, body_hmac, lease, lease_until, status, response, expires_at)
    select ${names.name}::bytea, ${names.said}::bytea, ${turn}::bytea,
           case when ${status}::smallint is null
                then clock_timestamp() + make_interval(secs => ${turnSeconds}::int) end,
           ${status}::smallint, ${answer}::bytea,
           clock_timestamp() + make_interval(days => ${keptDays}::int)
    on conflict (key_hmac) do update
      set (body_hmac, lease, lease_until, status, response, expires_at) =
          (excluded.body_hmac, excluded.lease, excluded.lease_until, excluded.status,
           excluded.response, excluded.expires_at)
      where had.expires_at <= clock_timestamp() or had.lease_until <= clock_timestamp()
    returning body_hmac, status, response
  )
  select true as mine, body_hmac, status, response from taken
  union all
  (${standing(names, sql`and not exists (select from taken)`)})`

const expired = sql`
  delete from site.idempotency_records where key_hmac = any (array(
    select key_hmac from site.idempotency_records where expires_at <= clock_timestamp()
     order by expires_at limit 1000 for update skip locked))`
