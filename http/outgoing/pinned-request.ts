// Sends one request to a URL chosen by others. The request connects only to the address that was
// checked, and follows no redirect.

import { LRUCache } from 'lru-cache'
import { endAfter } from './deadlines.ts'

/** Certificate authorities to trust in addition to the system's. */
export type Trust = { readonly ca: string | undefined }

type PinnedRequest = {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

/** Whether the system's authorities, rather than `ca`, signed a host's certificate. */
const systemTrusted = new WeakMap<Trust, LRUCache<string, boolean>>()
const trustedMax = 10_000

/** The system's list of authorities is too long to pass with every request along with `ca`. So each
 *  request trusts either that list or `ca` and, if the handshake fails, tries again with the other;
 *  nothing is sent before the handshake. */
export async function sendTo(
  address: string,
  target: URL,
  request: PinnedRequest,
  trust: Trust,
): Promise<Response> {
  const response = await answerOf(address, target, request, trust)
  if (response.status >= 100 && response.status <= 599) return response
  await response.body?.cancel()
  throw new NoHttp()
}

/** The response's status isn't one that RFC 9110, section 15, allows. */
class NoHttp extends Error {
  readonly code = 'NoHTTPStatus'
}

async function answerOf(
  address: string,
  target: URL,
  { headers, ...rest }: PinnedRequest,
  trust: Trust,
): Promise<Response> {
  const { at, host, name } = pinned(target, address)
  const request = {
    ...rest,
    headers: { ...headers, host },
    redirect: 'manual',
    decompress: false,
  } as const
  if (trust.ca === undefined) return fetch(at, { ...request, tls: name })
  const trusted = systemTrusted.get(trust) ?? new LRUCache<string, boolean>({ max: trustedMax })
  systemTrusted.set(trust, trusted)
  const own = { ...name, ca: trust.ca }
  const isSystem = trusted.get(host) ?? false
  const [first, second] = isSystem ? [name, own] : [own, name]
  try {
    return await fetch(at, { ...request, tls: first })
  } catch (failure) {
    if (kindOfFailure(failure) !== 'tls_failure') throw failure
  }
  const response = await fetch(at, { ...request, tls: second })
  trusted.set(host, !isSystem)
  return response
}

type Pinned = {
  readonly address: string
  /** The URL with the address in place of the host. */
  readonly at: string
  /** The value of the Host header. */
  readonly host: string
  /** The name in the TLS handshake. */
  readonly name: { serverName?: string }
}

/** The last result for each URL, which usually stays the same. */
const pinnedOf = new WeakMap<URL, Pinned>()

function pinned(target: URL, address: string): Pinned {
  const last = pinnedOf.get(target)
  if (last?.address === address) return last
  const url = new URL(target)
  url.hostname = address.includes(':') ? `[${address}]` : address
  const next = { address, at: url.href, host: target.host, name: tlsOf(target) }
  pinnedOf.set(target, next)
  return next
}

function tlsOf(target: URL): { serverName?: string } {
  const isAddress = /^\[|^\d+(\.\d+){3}$/.test(target.hostname)
  return isAddress ? {} : { serverName: target.hostname.replace(/\.$/, '') }
}

const tlsCodes = /CERT|TLS|SSL|SIGNED|VERIFY|ISSUER|ALTNAME/

/** Why a request got no response. */
export type OutgoingFailure =
  | 'blocked_address'
  | 'dns_failure'
  | 'timeout'
  | 'tls_failure'
  | 'connection_failed'
  | 'protocol_failure'

/** Bun's error codes for a reply that isn't valid HTTP. */
const protocolCodes = /HTTP|InvalidContentLength|InvalidRequestTransferEncoding|UnrequestedUpgrade/

export function kindOfFailure(
  failure: unknown,
): 'tls_failure' | 'connection_failed' | 'protocol_failure' {
  const code = failure instanceof Error && 'code' in failure ? String(failure.code) : ''
  if (protocolCodes.test(code)) return 'protocol_failure'
  return tlsCodes.test(code) ? 'tls_failure' : 'connection_failed'
}

/** The requests to stop when a signal aborts. Each signal has one listener for all its requests. */
const stopsOf = new WeakMap<AbortSignal, Set<() => void>>()

function stopOn(cut: AbortSignal, stop: () => void): () => void {
  const stops = stopsOf.get(cut) ?? new Set()
  if (!stopsOf.has(cut)) {
    stopsOf.set(cut, stops)
    cut.addEventListener('abort', () => stops.forEach(one => one()), { once: true })
  }
  stops.add(stop)
  if (cut.aborted) stop()
  return () => void stops.delete(stop)
}

export type Limit = ReturnType<typeof limitOf>

/** Aborts a request when its time is up or `cut` is aborted. */
export function limitOf(milliseconds: number, cut?: AbortSignal) {
  const controller = new AbortController()
  let isLate = false
  let whenReached: (() => void) | undefined
  const stop = () => {
    controller.abort()
    whenReached?.()
  }
  const forget = endAfter(milliseconds, () => {
    isLate = true
    stop()
  })
  const forgetCut = cut && stopOn(cut, stop)
  return {
    signal: controller.signal,
    abort: () => controller.abort(),
    isLate: () => isLate,
    /** The work's result, or null if the limit comes first. */
    within<T>(work: Promise<T>): Promise<T | null> {
      if (controller.signal.aborted) return Promise.resolve(null)
      return new Promise((resolve, reject) => {
        whenReached = () => resolve(null)
        work.then(resolve, reject)
      })
    },
    clear() {
      forget()
      forgetCut?.()
    },
  }
}
