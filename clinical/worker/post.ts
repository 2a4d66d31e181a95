// One POST to a receiver: to the address that was judged, and to no other; not followed, not
// unpacked, over in fifteen seconds whatever the receiver does.

import { rootCertificates } from 'node:tls'
import { limits } from '#contract/limits.ts'
import type { Mode } from '#contract/operation.ts'
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
  const late = AbortSignal.timeout(receivers.seconds * 1000)
  const signal = AbortSignal.any([late, cut])
  const failed = (error: Outcome['error']): Outcome => ({
    status: null,
    milliseconds: since(),
    answer: null,
    error,
  })
  const target = new URL(url)
  const judged = await before(signal, judge(target, mode, receivers.addresses))
  if (judged === null) return failed(late.aborted ? 'timeout' : 'connection_failed')
  if ('refused' in judged) return failed(judged.refused)
  try {
    const response = await fetch(pinned(target, judged.address), {
      method: 'POST',
      body,
      headers: { ...headers, host: target.host },
      redirect: 'manual',
      decompress: false,
      signal,
      tls: tlsOf(target, receivers.ca),
    })
    const milliseconds = since()
    const answer = await beginning(response)
    return { status: response.status, milliseconds, answer, error: null }
  } catch (failure) {
    return failed(late.aborted ? 'timeout' : kindOf(failure))
  }
}

/** What comes of some work, or null when the signal comes first. */
async function before<T>(signal: AbortSignal, work: Promise<T>): Promise<T | null> {
  if (signal.aborted) return null
  const cut = Promise.withResolvers<null>()
  const stop = () => cut.resolve(null)
  signal.addEventListener('abort', stop, { once: true })
  const first = await Promise.race([work, cut.promise])
  signal.removeEventListener('abort', stop)
  return first
}

/** The same request, to one address: its name stays in the Host header and in the handshake. */
function pinned(target: URL, address: string): string {
  const host = address.includes(':') ? `[${address}]` : address
  return `https://${host}:${target.port || 443}${target.pathname}${target.search}`
}

function tlsOf(target: URL, ca: string | undefined) {
  const isAddress = /^\[|^\d+(\.\d+){3}$/.test(target.hostname)
  return {
    ...(isAddress ? {} : { serverName: target.hostname.replace(/\.$/, '') }),
    ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
  }
}

/** The first kilobyte of an answer, as text; the rest is not waited for. */
async function beginning(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const parts: Uint8Array[] = []
  let left: number = limits.webhookAnswerBytesMax
  const late = AbortSignal.timeout(answerMilliseconds)
  while (left > 0) {
    const read = await before(
      late,
      reader.read().catch(() => null),
    )
    if (!read?.value) break
    parts.push(read.value.subarray(0, left))
    left -= Math.min(left, read.value.length)
  }
  void reader.cancel().catch(() => undefined)
  // A character may have been cut in two, and a database keeps no NUL.
  return new TextDecoder().decode(Buffer.concat(parts)).replaceAll('\0', '\ufffd')
}

const ofTls = /CERT|TLS|SSL|SIGNED|VERIFY|ISSUER|ALTNAME/

function kindOf(failure: unknown): 'tls_failure' | 'connection_failed' {
  const code = failure instanceof Error && 'code' in failure ? String(failure.code) : ''
  return ofTls.test(code) ? 'tls_failure' : 'connection_failed'
}
