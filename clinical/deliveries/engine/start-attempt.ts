// Starts attempts without waiting for them. An attempt holds a socket until the response, and ends
// when its result is recorded.

import type { Mode } from '#contract/operation.ts'
import type { Connection, ConnectionPool } from '#database/pool.ts'
import type { Worker } from '../../jobs/job.ts'
import { attempt, type AttemptSignals } from './attempt.ts'
import { openRecorder } from './batch-recorder.ts'
import { type ClaimedDelivery, release } from './claim.ts'
import type { WebhookClock } from './clock.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'
import { type EndedAttempt, record } from './record.ts'
import type { Sender } from './sender.ts'
import { cachedOpen } from './secret-cache.ts'

export type DeliveryOptions = Pick<Sender, 'encryption' | 'receivers'> & { clock: WebhookClock }

/** Called when a socket is free, with a mode if that mode has more due deliveries. */
export type OnFree = (worker: Worker, mode?: Mode) => void

/** Opens one sender per mode, with its recorder. */
function sendersOf({ clock, ...options }: DeliveryOptions, onFree: OnFree) {
  const open = cachedOpen(options.encryption)
  const senders = new Map<Mode, Sender>()
  return (worker: Worker, mode: Mode): Sender => {
    const known = senders.get(mode)
    if (known !== undefined) return known
    const write = (connection: Connection, ended: readonly EndedAttempt[]) =>
      record(connection, clock, ended, () => onFree(worker, mode))
    const recorder = openRecorder(worker.pools[mode], write)
    const sender = { ...options, open, record: recorder, note: worker.note }
    senders.set(mode, sender)
    return sender
  }
}

/** Returns a function that starts a batch's attempt; its promise settles when the attempt is over.
 */
export function attemptStarter(
  options: DeliveryOptions,
  limit: ConcurrencyLimit,
  cut: AbortSignal,
  onFree: OnFree,
) {
  const senderOf = sendersOf(options, onFree)
  return (worker: Worker, mode: Mode, batch: readonly ClaimedDelivery[]): Promise<void> => {
    const isSlow = batch.some(one => one.slow)
    const releaseSocket = limit.acquire(isSlow)
    for (const one of batch) if (one.claims > 1) logExpiredLease(worker, mode, one)
    const answered = () => {
      releaseSocket()
      // Without this call, nothing would claim deliveries waiting for the slow endpoints' share.
      onFree(worker, isSlow ? mode : undefined)
    }
    const work = sendOrRelease(senderOf(worker, mode), worker.pools[mode], mode, batch, {
      cut,
      answered,
    }).finally(() => {
      limit.underWay.delete(work)
      answered()
    })
    limit.underWay.add(work)
    return work
  }
}

/** The worker with the previous claim neither released nor recorded the delivery, because the
 *  worker crashed or its database didn't respond. */
const logExpiredLease = (worker: Worker, mode: Mode, claimed: ClaimedDelivery) =>
  worker.note('webhook.lease_expired', {
    mode,
    delivery: claimed.id,
    endpoint: claimed.webhook_endpoint,
    claims: claimed.claims - 1,
  })

/** An attempt that's cut off when the worker stops, or that fails on our side, doesn't count. */
async function sendOrRelease(
  sender: Sender,
  pool: ConnectionPool,
  mode: Mode,
  batch: readonly ClaimedDelivery[],
  signals: AttemptSignals,
): Promise<void> {
  const { cut } = signals
  const logAndRelease = async (claimed: ClaimedDelivery, failure: unknown) => {
    sender.note('webhook.interrupted', {
      mode,
      delivery: claimed.id,
      endpoint: claimed.webhook_endpoint,
      // Never log the failure's message: a database error may repeat the values it was sent.
      reason: cut.aborted
        ? 'the worker is stopping'
        : failure instanceof Error
          ? failure.name
          : 'unknown',
    })
    // A claim that can't be released ends with its lease.
    if (cut.aborted)
      await pool.use(connection => release(connection, claimed)).catch(() => undefined)
  }
  await attempt(sender, pool, mode, batch, signals).catch(async failure => {
    for (const one of batch) await logAndRelease(one, failure)
  })
}
