// One POST to a receiver. It connects only to the checked address, doesn't follow redirects or
// decompress the response, and ends after at most fifteen seconds.

import { LRUCache } from 'lru-cache'
import { limits } from '#contract/limits.ts'
import type { Mode } from '#contract/operation.ts'
import type { Outgoing } from '#http/outgoing/get.ts'
import { endAfter } from '#http/outgoing/deadlines.ts'
import {
  kindOfFailure,
  type Limit,
  limitOf,
  type OutgoingFailure,
  sendTo,
} from '#http/outgoing/pinned-request.ts'
import { shownHeaders, type ShownHeaders } from './shown-headers.ts'
import { resolveAddress } from '../../webhooks/addresses.ts'

export type WebhookPost = {
  url: string
  /** Defaults to POST. */
  method?: 'POST' | 'PUT'
  mode: Mode
  headers: Readonly<Record<string, string>>
  body: string
  /** How many response bytes to read; defaults to the number that a delivery shows. */
  answerBytesMax?: number
}

export type Outcome = {
  /** Null if there was no response. */
  status: number | null
  milliseconds: number
  /** The connected address; null if refused or not found. */
  address: string | null
  /** How long it took to find and check the address; null if that failed. */
  resolveMilliseconds: number | null
  /** The response's header names, with values for headers that may be shown; null without a
   *  response. */
  headers: ShownHeaders | null
  /** The start of the response body; null without a response. */
  answer: string | null
  error: OutgoingFailure | null
}

/** `seconds` limits the whole attempt. */
export type Receivers = Outgoing & {
  /** The port of cloud services; not 443 only in tests. */
  readonly cloudPort?: number
}

/** The longest wait for the body; the result depends only on the status. */
const answerMilliseconds = 1000

const targets = new LRUCache<string, URL>({ max: 10_000 })

/** Returns the parsed URL, which is cached and shared, so callers must not change it. */
function targetOf(url: string): URL {
  const known = targets.get(url)
  if (known !== undefined) return known
  const target = new URL(url)
  targets.set(url, target)
  return target
}

export const notConnected = { address: null, resolveMilliseconds: null } as const

export async function post(
  { url, method = 'POST', mode, headers, body, answerBytesMax }: WebhookPost,
  receivers: Receivers,
  cut: AbortSignal,
): Promise<Outcome> {
  const started = performance.now()
  const since = () => Math.round(performance.now() - started)
  const limit = limitOf(receivers.seconds * 1000, cut)
  let connected: Pick<Outcome, 'address' | 'resolveMilliseconds'> = notConnected
  const failed = (error: Outcome['error']): Outcome => ({
    ...connected,
    status: null,
    milliseconds: since(),
    headers: null,
    answer: null,
    error,
  })
  try {
    const target = targetOf(url)
    const verdict = await limit.within(resolveAddress(target, mode, receivers.addresses))
    if (verdict === null) return failed(limit.isLate() ? 'timeout' : 'connection_failed')
    if ('refused' in verdict) return failed(verdict.refused)
    connected = { address: verdict.address, resolveMilliseconds: since() }
    const request = {
      method,
      body,
      headers,
      signal: limit.signal,
    } as const
    const response = await sendTo(verdict.address, target, request, receivers)
    const milliseconds = since()
    const answer = await beginningOf(response, limit, answerBytesMax)
    const { status } = response
    const shown = shownHeaders(response.headers)
    return { ...connected, status, milliseconds, headers: shown, answer, error: null }
  } catch (failure) {
    return failed(limit.isLate() ? 'timeout' : kindOfFailure(failure))
  } finally {
    limit.clear()
  }
}

const utf8 = new TextDecoder()

/** Returns the start of a response body as text, and doesn't read the rest. A body whose declared
 *  length fits is read in one call, at a third of a reader's cost. */
async function beginningOf(
  response: Response,
  limit: Limit,
  bytesMax: number = limits.webhookAnswerBytesMax,
): Promise<string> {
  const length = Number(response.headers.get('content-length') ?? Infinity)
  const bytes =
    length <= bytesMax ? await readWhole(response, limit) : await readBeginning(response, bytesMax)
  // The cut may split a character, and PostgreSQL doesn't store NUL.
  const text = utf8.decode(bytes)
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text
}

const nothing = new Uint8Array()

/** Returns no bytes if the body doesn't arrive in time, and aborts the request. */
async function readWhole(response: Response, limit: Limit): Promise<Uint8Array> {
  const forget = endAfter(answerMilliseconds, limit.abort)
  const bytes = await response.bytes().catch(() => nothing)
  forget()
  return bytes
}

async function readBeginning(response: Response, bytesMax: number): Promise<Uint8Array> {
  const reader = response.body?.getReader()
  if (!reader) return nothing
  const parts: Uint8Array[] = []
  let left = bytesMax
  // Canceling ends a pending read.
  const cancel = () => void reader.cancel().catch(() => undefined)
  const forget = endAfter(answerMilliseconds, cancel)
  while (left > 0) {
    const read = await reader.read().catch(() => null)
    if (!read?.value) break
    parts.push(read.value.subarray(0, left))
    left -= Math.min(left, read.value.length)
  }
  forget()
  cancel()
  return Buffer.concat(parts)
}
