// One POST to a receiver: to the address that was judged, and to no other; not followed, not
// unpacked, over in fifteen seconds whatever the receiver does.

import { limits } from '#contract/limits.ts'
import type { Mode } from '#contract/operation.ts'
import { LRUCache } from 'lru-cache'
import { type AddressRule, judge } from './addresses.ts'

export type Post = {
  url: string
  mode: Mode
  headers: Readonly<Record<string, string>>
  body: string
}

export type Outcome = {
  /** Null when none came. */
  status: number | null
  milliseconds: number
  /** The beginning of the answer; null when none came. */
  answer: string | null
  error: 'timeout' | 'dns_failure' | 'connection_failed' | 'tls_failure' | 'blocked_address' | null
}

export type Receivers = {
  addresses: AddressRule
  /** Certificates that receivers may show besides the system's own. */
  ca: string | undefined
  /** The limit of a whole attempt, in seconds. */
  seconds: number
}

/** A body that hangs does not keep what its status has decided. */
const answerMilliseconds = 1000

export async function post(
  { url, mode, headers, body }: Post,
  receivers: Receivers,
  cut: AbortSignal,
): Promise<Outcome> {
  const started = performance.now()
  const since = () => Math.round(performance.now() - started)
  const limit = limitOf(receivers.seconds * 1000, cut)
  const failed = (error: Outcome['error']): Outcome => ({
    status: null,
    milliseconds: since(),
    answer: null,
    error,
  })
  try {
    const target = new URL(url)
    const judged = await Promise.race([judge(target, mode, receivers.addresses), limit.reached])
    if (judged === null) return failed(limit.isLate() ? 'timeout' : 'connection_failed')
    if ('refused' in judged) return failed(judged.refused)
    const request = {
      method: 'POST',
      body,
      headers: { ...headers, host: target.host },
      redirect: 'manual',
      decompress: false,
      signal: limit.signal,
    } as const
    const response = await send(pinned(target, judged.address), target, request, receivers)
    const milliseconds = since()
    const answer = await beginning(response)
    return { status: response.status, milliseconds, answer, error: null }
  } catch (failure) {
    return failed(limit.isLate() ? 'timeout' : kindOf(failure))
  } finally {
    limit.over()
  }
}

/** The end of an attempt, when its time is up or `cut` says so. */
function limitOf(milliseconds: number, cut: AbortSignal) {
  const controller = new AbortController()
  const reached = Promise.withResolvers<null>()
  let isLate = false
  const stop = () => {
    controller.abort()
    reached.resolve(null)
  }
  const timer = setTimeout(() => {
    isLate = true
    stop()
  }, milliseconds)
  cut.addEventListener('abort', stop, { once: true })
  if (cut.aborted) stop()
  return {
    signal: controller.signal,
    reached: reached.promise,
    isLate: () => isLate,
    over() {
      clearTimeout(timer)
      cut.removeEventListener('abort', stop)
    },
  }
}

/** Whether it was the system's authorities that vouched for a receiver, where there are others. */
const vouched = new WeakMap<Receivers, LRUCache<string, boolean>>()
const vouchedMax = 10_000

/** The system's authorities are over a hundred, and too long to be given with every request: who
 *  vouches for a receiver is tried out, by handshakes that come before anything is sent. */
async function send(
  address: string,
  target: URL,
  request: RequestInit,
  receivers: Receivers,
): Promise<Response> {
  const name = tlsOf(target)
  if (receivers.ca === undefined) return fetch(address, { ...request, tls: name })
  const known = vouched.get(receivers) ?? new LRUCache<string, boolean>({ max: vouchedMax })
  vouched.set(receivers, known)
  const own = { ...name, ca: receivers.ca }
  const isSystem = known.get(target.host) ?? false
  const [first, second] = isSystem ? [name, own] : [own, name]
  try {
    return await fetch(address, { ...request, tls: first })
  } catch (failure) {
    if (kindOf(failure) !== 'tls_failure') throw failure
  }
  const response = await fetch(address, { ...request, tls: second })
  known.set(target.host, !isSystem)
  return response
}

/** The same request, to one address: its name stays in the Host header and in the handshake. */
function pinned(target: URL, address: string): string {
  const host = address.includes(':') ? `[${address}]` : address
  return `https://${host}:${target.port || 443}${target.pathname}${target.search}`
}

function tlsOf(target: URL): { serverName?: string } {
  const isAddress = /^\[|^\d+(\.\d+){3}$/.test(target.hostname)
  return isAddress ? {} : { serverName: target.hostname.replace(/\.$/, '') }
}

const utf8 = new TextDecoder()

/** The first kilobyte of an answer, as text; the rest is not waited for. */
async function beginning(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const parts: Uint8Array[] = []
  let left: number = limits.webhookAnswerBytesMax
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(() => late.resolve(null), answerMilliseconds)
  while (left > 0) {
    const read = await Promise.race([reader.read().catch(() => null), late.promise])
    if (!read?.value) break
    parts.push(read.value.subarray(0, left))
    left -= Math.min(left, read.value.length)
  }
  clearTimeout(timer)
  void reader.cancel().catch(() => undefined)
  // A character may have been cut in two, and a database keeps no NUL.
  return utf8.decode(Buffer.concat(parts)).replaceAll('\0', '\ufffd')
}

const ofTls = /CERT|TLS|SSL|SIGNED|VERIFY|ISSUER|ALTNAME/

function kindOf(failure: unknown): 'tls_failure' | 'connection_failed' {
  const code = failure instanceof Error && 'code' in failure ? String(failure.code) : ''
  return ofTls.test(code) ? 'tls_failure' : 'connection_failed'
}
