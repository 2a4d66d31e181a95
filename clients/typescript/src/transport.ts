// Sends an API call and reads its response.

import { attempts, failed, type Read, timed } from './attempts.ts'
import { type ApiResponse, withRequestId } from './call.ts'
import type { Credentials } from './credentials.ts'
import { Deadline } from './deadline.ts'
import {
  APIError,
  ConnectionError,
  type FailedCall,
  located,
  MismatchedResponseError,
  storagePath,
  type SvcError,
} from './errors.ts'
import { slug, uploadTimeoutSeconds } from './generated/contract.ts'
import { errorOf } from './generated/errors.ts'
import type { Problem } from './generated/schemas/problems.ts'
import { eventOf, type Log } from './log.ts'
import {
  checkedCall,
  type ClientOptions,
  merged,
  type Settings,
  type WriteOptions,
} from './options.ts'
import { addressOf, headersOf, type Outgoing } from './request.ts'
import { elapsed, now, uuid } from './runtime.ts'

type Attempt = {
  readonly url: string
  readonly init: RequestInit
  readonly call: FailedCall
  readonly deadline: Deadline
  readonly isHandedOn?: boolean | undefined
}

/** State shared by a client and the clients that `withOptions` derives from it. */
type Shared = {
  readonly client: ClientOptions
  readonly credentials: Credentials
  readonly log: Log
  /** Milliseconds to add to this machine's clock to get the server's. Undefined before the first
   *  response. */
  clockOffset?: number
}

export class Transport {
  readonly settings: Settings
  readonly shared: Shared

  constructor(settings: Settings, shared: Shared) {
    this.settings = settings
    this.shared = shared
  }

  /** Returns a transport with different call options. */
  with(options: WriteOptions): Transport {
    const { settings } = this
    return new Transport(
      { ...settings, call: merged(checkedCall(options), settings.call) },
      this.shared,
    )
  }

  async send<T extends object>(given: Outgoing): Promise<ApiResponse<T>> {
    // Captures the caller's stack, because a failure's own stack starts at the socket.
    const origin = new Error()
    const options = merged(checkedCall(given.options), this.settings.call)
    const call = { ...given, options }
    const { method, path } = call
    const key = method === 'GET' ? undefined : (options.idempotencyKey ?? `${slug}sdk_${uuid()}`)
    try {
      const url = addressOf(this.settings.baseUrl, call)
      // Following a redirect would send the body to a URL that the caller didn't choose.
      const init: RequestInit = { method, redirect: 'manual' }
      if (call.body !== undefined) init.body = JSON.stringify(call.body)
      const headers = headersOf(call, key, this.shared.client)
      const deadline = new Deadline(options)
      const once = this.#once({ url, init, deadline, isHandedOn: call.isDownload }, headers)
      const { read, call: done } = await attempts({
        call: { method, path, attempts: 1, idempotencyKey: key },
        options,
        deadline,
        log: this.shared.log,
        once,
      })
      return this.#answered(call, read, done)
    } catch (error) {
      throw located(error, origin, key)
    }
  }

  /** Uploads bytes to storage. Omits the credential, because storage isn't the API. */
  async put(url: string, headers: Record<string, string>, body: Blob, options: WriteOptions) {
    const all = merged({ timeout: uploadTimeoutSeconds * 1000, ...options }, this.settings.call)
    const deadline = new Deadline(all)
    const init = { method: 'PUT', headers, body }
    const call = { method: 'PUT', path: storagePath, attempts: 1 }
    const once = (failed: FailedCall) => this.#attempt({ url, init, call: failed, deadline })
    await attempts({ call, options: all, deadline, log: this.shared.log, once })
  }

  /** Makes one attempt. After a 401, returns 'again' if there is a newer credential. */
  #once(attempt: Omit<Attempt, 'call'>, headers: Record<string, string>) {
    const { deadline } = attempt
    let refused: string | undefined
    const bearer = () => deadline.within(this.shared.credentials.bearer(refused))
    return async (call: FailedCall): Promise<Read | SvcError | 'again'> => {
      try {
        const sent = await bearer()
        const init = { ...attempt.init, headers: { ...headers, authorization: `Bearer ${sent}` } }
        const outcome = await this.#attempt({ ...attempt, init, call })
        const isRefused = outcome instanceof APIError && outcome.status === 401
        if (!isRefused || refused !== undefined) return outcome
        refused = sent
        return (await bearer()) === sent ? outcome : 'again'
      } catch (error) {
        if (deadline.reason) return failed(error, deadline, call)
        if (error instanceof ConnectionError) return error
        throw error
      }
    }
  }

  async #attempt({ url, init, call, deadline, isHandedOn }: Attempt): Promise<Read | SvcError> {
    const started = elapsed()
    let isDone = false
    try {
      const response = await this.settings.fetch(url, { ...init, signal: deadline.begin() })
      isDone = isHandedOn === true && (response.ok || response.status === 304)
      const text = isDone ? undefined : await response.text()
      this.#noted(response, call, elapsed() - started)
      if (isDone) return { response: timed(response, deadline, call), text }
      return response.ok ? { response, text } : refusalOf(response, text ?? '', call)
    } catch (error) {
      return failed(error, deadline, call)
    } finally {
      if (isDone) deadline.pause()
      else deadline.end()
    }
  }

  #noted(response: Response, call: FailedCall, ms: number): void {
    const { log } = this.shared
    log.response(eventOf(call, response, ms))
    log.deprecated(call, response.headers)
    const date = Date.parse(response.headers.get('date') ?? '')
    if (call.path !== storagePath && !Number.isNaN(date)) this.shared.clockOffset = date - now()
  }

  #answered<T extends object>(call: Outgoing, read: Read, done: FailedCall): ApiResponse<T> {
    const { response, text } = read
    const { headers, status } = response
    const requestId = headers.get('request-id') ?? ''
    const data = call.isDownload === true ? response : parsed<object>(text ?? '')
    if (data === null) {
      throw new APIError({ status, headers, problem: {}, retryAfter: undefined, call: done })
    }
    if (data !== response) check(call, data, done)
    return {
      data: withRequestId(data as T, requestId),
      response,
      requestId,
      idempotencyKey: done.idempotencyKey,
      replayed: headers.get('idempotent-replayed') === 'true',
      attempts: done.attempts,
    }
  }
}

/** Throws if the response is about another resource, because a proxy or a server may mix up
 *  responses. */
function check({ echoes, ids = [] }: Outgoing, data: object, done: FailedCall): void {
  if (echoes === undefined) return
  const wanted = ids.at(-1)
  const rows = 'data' in data && Array.isArray(data.data) ? (data.data as object[]) : [data]
  // A key without the read scope receives only the ID and the fields it sent.
  const isOther = (row: object) =>
    (echoes in row || echoes === 'id') && (row as Record<string, unknown>)[echoes] !== wanted
  if (rows.some(isOther)) throw new MismatchedResponseError(done)
}

function refusalOf(response: Response, text: string, call: FailedCall): APIError {
  const { headers, status } = response
  const problem = problemIn(text, headers.get('content-type') ?? '', call)
  return errorOf({ status, headers, problem, retryAfter: retryAfterIn(headers), call })
}

/** The API's problem, or storage's text. Empty for any other response. */
function problemIn(text: string, type: string, { path }: FailedCall): Partial<Problem> {
  const [detail = ''] = text.trim().split('\n')
  if (path === storagePath && type.startsWith('text/plain')) return { detail }
  return (/json/.test(type) ? parsed<Problem>(text) : null) ?? {}
}

/** Parses Retry-After, which can be a number of seconds or a date by the server's clock. */
function retryAfterIn(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? ''
  const serverTime = Date.parse(headers.get('date') ?? '') || now()
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - serverTime) / 1000
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
