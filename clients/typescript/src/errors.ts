// The errors of the library. Those of single codes are generated, and extend APIError.

import type { FieldError, Problem } from './generated/schemas/problems.ts'

/** Everything that this library throws, but a TypeError for a wrong use of it. */
export class SvcError extends Error {
  static {
    this.prototype.name = 'SvcError'
  }
  /** Of a list that failed on the way: the last item that you received. */
  declare lastId?: string
}

/** The call that failed. Its path is the template, so that no id of a patient is in it. */
export type FailedCall = {
  readonly method: string
  readonly path: string
  readonly attempts: number
  readonly idempotencyKey?: string | undefined
}

export type Refusal = {
  readonly status: number
  readonly headers: Headers
  /** The body of the answer, if it was a problem. */
  readonly problem: Partial<Problem>
  readonly retryAfter: number | undefined
  readonly call: FailedCall
}

/** The API refused, or failed. `code` says why; branch on it, or on the class. */
export class APIError extends SvcError {
  static {
    this.prototype.name = 'APIError'
  }
  readonly status: number
  /** Stable; of an answer that is no problem `unknown`. */
  readonly code: string
  readonly title: string
  readonly detail: string
  /** What to do next. */
  readonly hint: string
  readonly requestId: string | undefined
  /** Which values of the request are wrong, each with a pointer to it. */
  readonly errors: readonly FieldError[]
  readonly docUrl: string | undefined
  /** Seconds, when the answer named them. */
  readonly retryAfter: number | undefined
  readonly method: string
  readonly path: string
  readonly attempts: number
  readonly idempotencyKey: string | undefined
  declare readonly headers: Headers
  /** The problem as it was answered. */
  declare readonly raw: Partial<Problem>

  constructor({ status, headers, problem, retryAfter, call }: Refusal) {
    super(messageOf(status, problem, call, headers))
    this.status = status
    this.code = problem.code ?? 'unknown'
    this.title = problem.title ?? ''
    this.detail = problem.detail ?? ''
    this.hint = problem.hint ?? ''
    this.requestId = problem.request_id ?? headers.get('request-id') ?? undefined
    this.errors = problem.errors ?? []
    this.docUrl = problem.type
    this.retryAfter = retryAfter
    this.method = call.method
    this.path = call.path
    this.attempts = call.attempts
    this.idempotencyKey = call.idempotencyKey
    hide(this, { headers, raw: problem })
  }

  /** Never what was sent. */
  toJSON(): object {
    return { ...this, name: this.name, message: this.message }
  }
}

function messageOf(
  status: number,
  problem: Partial<Problem>,
  { method, path }: FailedCall,
  headers: Headers,
): string {
  const at = `(${status}) ${method} ${path}:`
  if (problem.code === undefined) {
    const type = headers.get('content-type') ?? 'no content type'
    const location = headers.get('location')
    const where = location === null ? '' : ` It leads to ${new URL(location, 'http://x').host}.`
    return `unknown ${at} the answer is ${type} and no problem of the API; check baseUrl.${where}`
  }
  const pointers = (problem.errors ?? []).map(({ pointer, message }) => `${pointer}: ${message}`)
  const said = [problem.detail, ...pointers.slice(0, 5)].filter(Boolean).join(' ')
  const id = problem.request_id ? ` [${problem.request_id}]` : ''
  return `${problem.code} ${at} ${said}${problem.hint ? ` — ${problem.hint}` : ''}${id}`
}

/** No answer: the connection failed, or ended in the middle. */
export class ConnectionError extends SvcError {
  static {
    this.prototype.name = 'ConnectionError'
  }
  readonly method: string
  readonly path: string
  readonly attempts: number
  /** Send the call again with it, and it takes effect once. */
  readonly idempotencyKey: string | undefined

  constructor(message: string, call: FailedCall, cause?: unknown) {
    const again = call.idempotencyKey === undefined ? '' : ' — it may have taken effect'
    super(
      `${message} ${call.method} ${call.path}, ${call.attempts} attempts${again}`,
      cause === undefined ? undefined : { cause: withoutAddress(cause) },
    )
    this.method = call.method
    this.path = call.path
    this.attempts = call.attempts
    this.idempotencyKey = call.idempotencyKey
  }
}

/** The time of an attempt was over. */
export class TimeoutError extends ConnectionError {
  static {
    this.prototype.name = 'TimeoutError'
  }
}

/** Adds members that neither console.log nor JSON shows. */
export function hide<T extends object, M extends object>(target: T, members: M): T & M {
  for (const [name, value] of Object.entries(members)) {
    Object.defineProperty(target, name, { value, enumerable: false, writable: true })
  }
  return target as T & M
}

/** The code of a failed connection, from as deep as the runtime hides it. */
export function causeCode(cause: unknown): string | undefined {
  for (let at = cause, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const { code } = at as { code?: unknown }
    if (typeof code === 'string') return code
  }
  return undefined
}

/** Runtimes put the address into their error, and a query names what was searched for. */
function withoutAddress(cause: unknown): Error {
  const code = causeCode(cause)
  const name = cause instanceof Error ? cause.name : 'Error'
  const text = code ?? (cause instanceof Error ? cause.message.replaceAll(/\S+:\/\/\S+/g, '…') : '')
  const clean = new Error(text || 'the connection failed')
  clean.name = name
  return code === undefined ? clean : Object.assign(clean, { code })
}
