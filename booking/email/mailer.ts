// Sends what is queued, in as many gateways as there are. Nothing is held while a mail server is
// spoken to: the row is leased before and settled after.
import { isTransient } from '#database/failures.ts'
import type { ConnectionPool } from '#database/pool.ts'
import type { Statement } from '#database/sql.ts'
import type { Log } from '#http/log.ts'
import type { Mail } from './compose.ts'
import type { Post } from './transport.ts'
import { accepted, claiming, givenUp, type QueuedRow, refused } from './queue.ts'

export type MailerParts = {
  readonly pool: ConnectionPool
  readonly post: Post
  compose(row: QueuedRow): Mail
  readonly log: Pick<Log, 'event'>
  /** How often the queue is looked at unasked: what another gateway left is found so. */
  readonly sweepMilliseconds?: number
}

export type Mailer = {
  /** Something was queued. */
  wake(): void
  /** Takes no more, and ends when what is in hand is settled. */
  close(): Promise<void>
}

const atOnce = 8

export function openMailer(parts: MailerParts): Mailer {
  const closing = new AbortController()
  let isWoken = false
  let interrupt = () => {}
  const rest = async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    interrupt = resolve
    const timer = setTimeout(resolve, parts.sweepMilliseconds ?? 5000)
    if (!isWoken && !closing.signal.aborted) await promise
    clearTimeout(timer)
  }
  const work = async () => {
    while (!closing.signal.aborted) {
      isWoken = false
      const sent = await sendDue(parts)
      if (sent === 0) await rest()
    }
  }
  const working = work()
  return {
    wake() {
      isWoken = true
      interrupt()
    },
    async close() {
      closing.abort()
      interrupt()
      await working
      parts.post.close()
    },
  }
}

/** How many were tried. A database that is away is asked again with the next sweep. */
async function sendDue(parts: MailerParts): Promise<number> {
  try {
    const rows = await run<QueuedRow>(parts, claiming(atOnce))
    await Promise.all(rows.map(row => sendOne(parts, row)))
    return rows.length
  } catch (failure) {
    parts.log.event('mail.waiting', { reason: codeOf(failure) })
    return 0
  }
}

const run = <R extends Record<string, unknown>>(parts: MailerParts, statement: Statement) =>
  parts.pool.use(connection => connection.run<R>(statement))

async function sendOne(parts: MailerParts, row: QueuedRow): Promise<void> {
  const { id, audience, kind, attempts } = row
  const said = { mail: id, about: row.subject, audience, kind, attempts }
  try {
    await parts.post.send(parts.compose(row))
  } catch (failure) {
    await setAside(parts, row, failure)
    return
  }
  await settle(parts, accepted(id))
  parts.log.event('mail.sent', said)
}

/** Of the failure only its codes are logged: what a server says may name the person. */
async function setAside(parts: MailerParts, row: QueuedRow, failure: unknown): Promise<void> {
  const { id, audience, kind, attempts } = row
  const said = { mail: id, about: row.subject, audience, kind, attempts, reason: codeOf(failure) }
  if (row.is_last) {
    await settle(parts, givenUp(id))
    parts.log.event('mail.failed', said)
    return
  }
  const wait = waitSeconds(attempts, isFinal(failure))
  await settle(parts, refused(id, wait))
  parts.log.event('mail.refused', { ...said, again_in: wait })
}

/** Doubles from five seconds to an hour; what a server calls final is not asked for so often. */
export const waitSeconds = (attempts: number, isFinal: boolean): number =>
  Math.min(3600, Math.max(5 * 2 ** Math.min(attempts - 1, 10), isFinal ? 900 : 0))

/** A mail that was accepted and not recorded would be sent again: worth asking more than once. */
async function settle(parts: MailerParts, statement: Statement): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await run(parts, statement)
      return
    } catch (failure) {
      if (attempt === 20 || !isTransient(failure)) throw failure
      await Bun.sleep(250)
    }
  }
}

type Failure = { readonly code?: unknown; readonly responseCode?: unknown }

const partsOf = (failure: unknown): Failure =>
  typeof failure === 'object' && failure !== null ? failure : {}

/** 550, or ECONNECTION; never a sentence. */
function codeOf(failure: unknown): string {
  const { code, responseCode } = partsOf(failure)
  if (typeof responseCode === 'number') return String(responseCode)
  return typeof code === 'string' ? code : 'unknown'
}

const isFinal = (failure: unknown): boolean => {
  const { responseCode } = partsOf(failure)
  return typeof responseCode === 'number' && responseCode >= 500
}
