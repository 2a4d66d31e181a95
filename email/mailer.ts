// Sends queued emails, in any number of gateways. No transaction is open during the request to the
// mail server: the row is leased before and updated after.
import { isTransient } from '#database/failures.ts'
import type { ConnectionPool } from '#database/pool.ts'
import type { Statement } from '#database/sql.ts'
import type { Log } from '#http/log.ts'
import type { Mail } from './compose.ts'
import type { MailTransport } from './transport.ts'
import { markSent, claimDue, markFailed, type QueuedRow, postpone, queueDigest } from './queue.ts'

type MailerParts = {
  readonly pool: ConnectionPool
  readonly transport: MailTransport
  compose(row: QueuedRow): Mail
  /** Creates the ID for a digest. */
  newId(): string
  readonly log: Pick<Log, 'event'>
  /** How often the queue is read without a wake-up, to find other gateways' rows. */
  readonly sweepMilliseconds?: number
}

export type Mailer = {
  /** Called after an email is queued. */
  wake(): void
  /** Stops claiming rows, and resolves once the current ones are updated. */
  close(): Promise<void>
}

const batchSize = 8

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
      parts.transport.close()
    },
  }
}

/** Returns the number of attempts. If the database is unavailable, the next sweep tries again. */
async function sendDue(parts: MailerParts): Promise<number> {
  try {
    await run(parts, queueDigest(parts.newId()))
    const rows = await run<QueuedRow>(parts, claimDue(batchSize))
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
  const fields = { mail: id, about: row.subject, audience, kind, attempts }
  try {
    await parts.transport.send(parts.compose(row))
  } catch (failure) {
    await recordFailure(parts, row, failure)
    return
  }
  await update(parts, markSent(id))
  parts.log.event('mail.sent', fields)
}

/** Logs only the failure's code, because a server's message may contain the address. */
async function recordFailure(parts: MailerParts, row: QueuedRow, failure: unknown): Promise<void> {
  const { id, audience, kind, attempts } = row
  const fields = { mail: id, about: row.subject, audience, kind, attempts, reason: codeOf(failure) }
  if (row.is_last) {
    await update(parts, markFailed(id))
    parts.log.event('mail.failed', fields)
    return
  }
  const wait = waitSeconds(attempts, isPermanent(failure))
  await update(parts, postpone(id, wait, isRecipientRefused(failure)))
  parts.log.event('mail.refused', { ...fields, again_in: wait })
}

/** Doubles from five seconds up to an hour; after a permanent failure, starts at 15 minutes. */
export const waitSeconds = (attempts: number, isAfterPermanent: boolean): number =>
  Math.min(3600, Math.max(5 * 2 ** Math.min(attempts - 1, 10), isAfterPermanent ? 900 : 0))

/** Retries, because an accepted email without a record would be sent again. */
async function update(parts: MailerParts, statement: Statement): Promise<void> {
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

type Failure = Readonly<Partial<Record<'code' | 'responseCode' | 'command' | 'response', unknown>>>

const partsOf = (failure: unknown): Failure =>
  typeof failure === 'object' && failure !== null ? failure : {}

/** A failure's code, such as 550 or ECONNECTION. */
function codeOf(failure: unknown): string {
  const { code, responseCode } = partsOf(failure)
  if (typeof responseCode === 'number') return String(responseCode)
  return typeof code === 'string' ? code : 'unknown'
}

const isPermanent = (failure: unknown): boolean => {
  const { responseCode } = partsOf(failure)
  return typeof responseCode === 'number' && responseCode >= 500
}

/** Whether the server will never accept this recipient, according to its status code for an address
 *  or a mailbox (RFC 3463). Other refusals may be about us, as X.1.7 and X.1.8 are. */
const isRecipientRefused = (failure: unknown): boolean => {
  const { command, response } = partsOf(failure)
  return command === 'RCPT TO' && /^5\d\d[ -]5\.(1\.(?![78]\b)|2\.)/.test(String(response))
}
