// Sends a batch to a destination, over a checked and pinned connection like a webhook's. All
// deliveries in the batch get the request's result, except deliveries that the response lists as
// rejected.

import { limits } from '#contract/limits.ts'
import type { Mode } from '#contract/operation.ts'
import { protocols } from '../../destinations/protocols/protocols.ts'
import type { Protocol } from '../../destinations/protocols/protocol.ts'
import { openSecret, type Result, type Sender } from './sender.ts'
import type { ClaimedDelivery } from './claim.ts'
import { post } from './post.ts'

export type DestinationMessage = { at: number; claimed: ClaimedDelivery; body: string }
type SentMessage = { at: number; result: Result }

/** Below every service's request limit; the lowest is 256 KiB. A store has no such limit. */
const requestBytesMax = 200_000
/** Enough for the response to the largest batch. */
const answerBytesMax = 64 * 1024

type Times = { claimedAt: number; cut: AbortSignal }

export async function sendToDestination(
  sender: Sender,
  mode: Mode,
  messages: readonly DestinationMessage[],
  times: Times,
): Promise<SentMessage[]> {
  // Sends all parts concurrently, so they end within one attempt's time.
  const parts = partsOf(messages).map(part => sendPart(sender, mode, part, times))
  return (await Promise.all(parts)).flat()
}

/** Splits messages into parts that each fit into a request. */
function partsOf(messages: readonly DestinationMessage[]): DestinationMessage[][] {
  if (messages[0]?.claimed.kind === 's3') return [[...messages]]
  const parts: DestinationMessage[][] = []
  let size = Infinity
  for (const one of messages) {
    const bytes = Buffer.byteLength(one.body)
    if (size + bytes > requestBytesMax) {
      parts.push([])
      size = 0
    }
    parts.at(-1)?.push(one)
    size += bytes
  }
  return parts
}

async function sendPart(
  sender: Sender,
  mode: Mode,
  part: readonly DestinationMessage[],
  { claimedAt, cut }: Times,
): Promise<SentMessage[]> {
  const first = part[0]?.claimed
  if (first?.url == null || first.kind === 'https') return []
  const protocol = protocols[first.kind]
  const batch = part.map(({ claimed, body }) => ({ ...claimed, body }))
  const { url, ...request } = await protocol.request(
    {
      url: addressOf(first.url, first, sender.receivers.cloudPort),
      settings: first.settings ?? {},
      secret: openSecret(sender, mode, first, first.secret),
      now: first.moment + performance.now() - claimedAt,
    },
    batch,
  )
  const all = { ...request, url: url.href, mode, answerBytesMax }
  const outcome = await post(all, sender.receivers, cut)
  const { status, answer } = outcome
  const refused = status === null || status >= 300 ? [] : refusedBy(protocol, answer, batch)
  const isRefused = new Set(refused)
  const shown = answer?.slice(0, limits.webhookAnswerBytesMax) ?? null
  return part.map(({ at }, place) => ({
    at,
    result: {
      ...outcome,
      answer: shown,
      signature: null,
      error: isRefused.has(place) ? 'rejected' : outcome.error,
    },
  }))
}

/** Cloud services use the https port, or the port that a test sets; other hosts use their URL's
 *  port. */
function addressOf(
  text: string,
  { settings }: Pick<ClaimedDelivery, 'settings'>,
  cloudPort: number | undefined,
): URL {
  const url = new URL(text)
  if (cloudPort !== undefined && settings?.['url'] == null) url.port = String(cloudPort)
  return url
}

/** An unreadable response means that nothing was accepted. */
function refusedBy(
  { refused }: Protocol,
  answer: string | null,
  batch: Parameters<NonNullable<Protocol['refused']>>[1],
): Iterable<number> {
  if (refused === undefined) return []
  try {
    return refused(JSON.parse(answer ?? ''), batch)
  } catch {
    return batch.keys()
  }
}
