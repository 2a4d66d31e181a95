// One call of the API: its attempts, the pauses between them, and what is made of the answer.

import type { Answered } from './call.ts'
import { withRequestId } from './call.ts'
import { type Credentials, isHeaderText } from './credentials.ts'
import {
  APIError,
  causeCode,
  ConnectionError,
  type FailedCall,
  SvcError,
  TimeoutError,
} from './errors.ts'
import {
  apiVersion,
  pauseSeconds,
  retriedCodes,
  retriedStatuses,
  retryAfterSecondsMax,
  sdkVersion,
  slug,
} from './generated/contract.ts'
import { errorOf } from './generated/errors.ts'
import type { Problem } from './generated/schemas/problems.ts'
import type { Log, ResponseEvent } from './log.ts'
import type { CallOptions, ClientOptions, Settings } from './options.ts'
import { elapsed, now, pause, random, runtimeName, uuid } from './runtime.ts'

/** A call as it is described; its promise is a `Call`. */
export type Outgoing = {
  readonly method: string
  /** With its names in braces. */
  readonly path: string
  /** The values of those names. */
  readonly values?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The answer is handed on unread. */
  readonly isDownload?: boolean
  readonly options?: (CallOptions & { idempotencyKey?: string | undefined }) | undefined
}

type Attempt = { readonly number: number; readonly key: string | undefined }

/** An answer that was read to its end. */
type Read = { readonly response: Response; readonly text: string | undefined }

export class Transport {
  readonly credentials: Credentials
  readonly settings: Settings
  readonly #options: ClientOptions
  readonly #log: Log
  readonly #agent: string

  constructor(options: ClientOptions, settings: Settings, credentials: Credentials, log: Log) {
    this.#options = options
    this.settings = settings
    this.credentials = credentials
    this.#log = log
    this.#agent = agentOf(options)
  }

  async send<T extends object>(call: Outgoing): Promise<Answered<T>> {
    const { method, path, options = {} } = call
    const key = method === 'GET' ? undefined : (options.idempotencyKey ?? `${slug}sdk_${uuid()}`)
    const retries = options.maxRetries ?? this.settings.maxRetries
    for (let number = 1; ; number++) {
      const failed = { method, path, attempts: number, idempotencyKey: key }
      const outcome = await this.#attempt(call, { number, key }, failed)
      if (!(outcome instanceof SvcError)) return this.#answered(call, outcome, failed)
      const wait = number > retries ? undefined : waitAfter(outcome, number)
      if (wait === undefined) throw outcome
      this.#log.retry(failed, outcome, wait)
      await pause(wait, options.signal)
    }
  }

  /** Milliseconds before the next attempt. */
  pauseAfter(attempt: number): number {
    return pauseAfter(attempt)
  }

  /** The answer of one attempt; an error is thrown only when no other attempt could help. */
  async #attempt(call: Outgoing, attempt: Attempt, failed: FailedCall): Promise<Read | SvcError> {
    const request = await this.#request(call, attempt).catch((error: unknown) => error)
    if (request instanceof ConnectionError) return request
    if (request instanceof Error) throw request
    const { url, init } = request as { url: string; init: RequestInit }
    const started = elapsed()
    const timer = new Deadline(call.options?.timeout ?? this.settings.timeout, call.options?.signal)
    try {
      const response = await this.settings.fetch(url, { ...init, signal: timer.signal })
      const isHandedOn = call.isDownload === true && (response.ok || response.status === 304)
      const text = isHandedOn ? undefined : await response.text()
      this.#log.response(eventOf(failed, response, elapsed() - started))
      if (isHandedOn) return { response, text }
      return response.ok ? { response, text } : this.#refusal(response, text ?? '', failed)
    } catch (error) {
      if (call.options?.signal?.aborted) throw call.options.signal.reason
      if (timer.isOver) return new TimeoutError(`no answer in ${timer.milliseconds} ms:`, failed)
      const code = causeCode(error)
      const message = `the connection failed${code ? ` (${code})` : ''}:`
      return new ConnectionError(message, failed, error)
    } finally {
      timer.clear()
    }
  }

  async #request({ method, path, values, query, body, ...call }: Outgoing, { key }: Attempt) {
    const { baseUrl } = this.settings
    const organization = call.options?.organization ?? this.#options.organization
    for (const text of [organization, key]) {
      if (text === undefined || isHeaderText(text)) continue
      throw new TypeError(
        'An organization and an idempotencyKey are visible ASCII, without spaces.',
      )
    }
    const headers: Record<string, string> = {
      accept: 'application/json',
      'user-agent': this.#agent,
      'api-version': this.#options.apiVersion ?? apiVersion,
      authorization: `Bearer ${await this.credentials.bearer()}`,
      ...(organization === undefined ? {} : { 'service-organization': organization }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...call.headers,
    }
    // A redirect would carry the body to an address that was not chosen.
    const init: RequestInit = { method, headers, redirect: 'manual' }
    if (body !== undefined) init.body = JSON.stringify(body)
    return { url: baseUrl + pathOf(path, values) + queryOf(query), init }
  }

  #refusal(response: Response, text: string, call: FailedCall): APIError {
    if (response.status === 401) this.credentials.forget()
    const { headers, status } = response
    const problem = /json/.test(headers.get('content-type') ?? '') ? parsed<Problem>(text) : null
    const retryAfter = secondsOf(headers.get('retry-after'))
    return errorOf({ status, headers, problem: problem ?? {}, retryAfter, call })
  }

  #answered<T extends object>(call: Outgoing, read: Read, failed: FailedCall): Answered<T> {
    const { response, text } = read
    const requestId = response.headers.get('request-id') ?? ''
    const data = call.isDownload === true ? response : parsed<object>(text ?? '')
    if (data === null) {
      const problem = {}
      const { status, headers } = response
      throw new APIError({ status, headers, problem, retryAfter: undefined, call: failed })
    }
    return {
      data: withRequestId(data as T, requestId),
      response,
      requestId,
      idempotencyKey: failed.idempotencyKey,
      replayed: response.headers.get('idempotent-replayed') === 'true',
      attempts: failed.attempts,
    }
  }
}

/** The time of one attempt, and the caller's own signal. */
class Deadline {
  readonly milliseconds: number
  readonly #controller = new AbortController()
  readonly #timer: ReturnType<typeof setTimeout>
  readonly #outer: AbortSignal | undefined
  readonly #abort = () => this.#controller.abort(this.#outer?.reason)
  isOver = false

  constructor(milliseconds: number, outer: AbortSignal | undefined) {
    outer?.throwIfAborted()
    this.milliseconds = milliseconds
    this.#outer = outer
    outer?.addEventListener('abort', this.#abort, { once: true })
    this.#timer = setTimeout(() => {
      this.isOver = true
      this.#controller.abort()
    }, milliseconds)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#outer?.removeEventListener('abort', this.#abort)
  }
}

/** Milliseconds, random up to a limit that doubles. */
function pauseAfter(attempt: number): number {
  const { first, longest } = pauseSeconds
  return Math.min(longest, first * 2 ** (attempt - 1)) * random() * 1000
}

/** Milliseconds until the next attempt; undefined when another one would not help. */
function waitAfter(error: SvcError, attempt: number): number | undefined {
  if (!(error instanceof APIError)) return pauseAfter(attempt)
  const { status, code, retryAfter } = error
  if (!retriedStatuses.includes(status) && !retriedCodes.includes(code)) return undefined
  if (retryAfter === undefined) return pauseAfter(attempt)
  return retryAfter <= retryAfterSecondsMax ? retryAfter * 1000 : undefined
}

/** Of a number of seconds or of a date, as HTTP allows both. */
function secondsOf(header: string | null): number | undefined {
  if (header === null || header === '') return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

function parsed<T>(text: string): T | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? (value as T) : null
  } catch {
    return null
  }
}

const pathOf = (path: string, values: Readonly<Record<string, string>> = {}) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value: unknown = values[name]
    // An empty id would call the list in place of the item.
    if (typeof value === 'string' && value !== '') return encodeURIComponent(value)
    throw new TypeError(`${path} needs an id for {${name}}, and got ${String(value) || 'no text'}`)
  })

function queryOf(query: Readonly<Record<string, unknown>> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  const pairs = given.map(([name, value]): [string, string] => [name, String(value)])
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

const eventOf = (call: FailedCall, { status, headers }: Response, ms: number): ResponseEvent => ({
  method: call.method,
  path: call.path,
  status,
  requestId: headers.get('request-id') ?? undefined,
  ms: Math.round(ms),
  attempt: call.attempts,
  idempotencyKey: call.idempotencyKey,
})

function agentOf({ appInfo }: ClientOptions): string {
  const app = appInfo && [`${appInfo.name}/${appInfo.version ?? '0'}`, appInfo.url ?? '']
  return [`${slug}-sdk/${sdkVersion}`, runtimeName(), ...(app ?? [])].filter(Boolean).join(' ')
}
