// The library's errors. Errors for single codes are generated and extend APIError.

import type { FieldError, Problem } from './generated/schemas/problems.ts'
import { neverPasses, worded } from './network/network.ts'

/** A package may be loaded twice, as an ES module and as CommonJS: each recognizes the other's
 *  errors. */
const family = Symbol.for('@svc/sdk')

/** Everything that this library throws, except a TypeError for incorrect use. */
export class SvcError extends Error {
  static {
    named(this, 'SvcError')
  }
  /** For a list that failed partway, the last item you received. */
  declare lastId?: string

  static override [Symbol.hasInstance](value: unknown): boolean {
    const { prototype } = this as { prototype: object }
    const base = Object.getPrototypeOf(prototype) as object
    const own = Object.hasOwn(prototype, family) ? prototype : base
    // A caller's own class is compared as usual.
    if (own === base && kindOf(base) !== 'code') {
      return Function.prototype[Symbol.hasInstance].call(this, value)
    }
    const { name } = own as { name: unknown }
    for (let at = value; typeof at === 'object' && at !== null; at = Object.getPrototypeOf(at)) {
      if (kindOf(at) !== undefined && (at as { name: unknown }).name === name) return true
    }
    return false
  }
}

const kindOf = (prototype: object): unknown =>
  Object.hasOwn(prototype, family) ? (prototype as Record<symbol, unknown>)[family] : undefined

/** Gives an error class its name, which survives minification. */
export function named(
  { prototype }: { prototype: object },
  name: string,
  kind: 'class' | 'code' = 'class',
): void {
  Object.assign(prototype, { name, [family]: kind })
}

/** The call that failed. Its path is the template, so it contains no patient's id. */
export type FailedCall = {
  readonly method: string
  readonly path: string
  readonly attempts: number
  readonly idempotencyKey?: string | undefined
}

export type Refusal = {
  readonly status: number
  readonly headers: Headers
  /** The response's body, if it was a problem. */
  readonly problem: Partial<Problem>
  readonly retryAfter: number | undefined
  readonly call: FailedCall
}

/** The API refused the request or failed. `code` says why; branch on it, or on the class. */
export class APIError extends SvcError {
  static {
    named(this, 'APIError')
  }
  declare readonly status: number
  /** Stable; `unknown` if the response isn't a problem. */
  declare readonly code: string
  declare readonly title: string
  declare readonly detail: string
  /** Says what to do next. */
  declare readonly hint: string
  declare readonly requestId: string | undefined
  /** The invalid values in the request, each with a pointer. */
  declare readonly errors: readonly FieldError[]
  declare readonly docUrl: string | undefined
  /** Seconds to wait before a retry, if the response says so. */
  declare readonly retryAfter: number | undefined
  declare readonly method: string
  declare readonly path: string
  declare readonly attempts: number
  declare readonly idempotencyKey: string | undefined
  declare readonly headers: Headers
  /** The problem as received. */
  declare readonly raw: Partial<Problem>

  constructor({ status, headers, problem, retryAfter, call }: Refusal) {
    super(messageOf(status, problem, call, headers))
    Object.assign(this, {
      status,
      code: problem.code ?? 'unknown',
      title: problem.title ?? '',
      detail: problem.detail ?? '',
      hint: problem.hint ?? '',
      requestId: problem.request_id ?? headers.get('request-id') ?? undefined,
      errors: problem.errors ?? [],
      docUrl: problem.type,
      retryAfter,
      ...call,
    })
    hide(this, { headers, raw: problem })
  }

  /** Never contains what was sent. */
  toJSON(): object {
    return { ...this, name: this.name, message: this.message }
  }
}

/** The class for one API code: its instances have no other code. */
export function refusedAs<C extends string>(code: C) {
  return class extends APIError {
    static {
      const words = code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
      named(this, `${words.replace(/Error$/, '')}Error`, 'code')
    }
    static readonly code: C = code
    declare readonly code: C
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
    const where = location === null ? '' : ` It redirects to ${new URL(location, 'http://x').host}.`
    return `unknown ${at} the response is ${type}, not an API problem. Check baseUrl.${where}`
  }
  const pointers = (problem.errors ?? []).map(({ pointer, message }) => `${pointer}: ${message}`)
  const said = [problem.detail, ...pointers.slice(0, 5)].filter(Boolean).join(' ')
  const id = problem.request_id ? ` [${problem.request_id}]` : ''
  return `${problem.code} ${at} ${said}${problem.hint ? ` — ${problem.hint}` : ''}${id}`
}

/** No response: the connection failed, or broke off. */
export class ConnectionError extends SvcError {
  static {
    named(this, 'ConnectionError')
  }
  declare readonly method: string
  declare readonly path: string
  declare readonly attempts: number
  /** Repeat the call with this key, and it takes effect once. */
  declare readonly idempotencyKey: string | undefined

  /** Whether another attempt may help: not with a wrong name, certificate or proxy. */
  declare readonly mayPass: boolean

  constructor(message: string, call: FailedCall, cause?: unknown) {
    const again = call.idempotencyKey === undefined ? '' : ' — it may have taken effect'
    super(
      `${message} ${call.method} ${call.path}, ${call.attempts} attempts${again}`,
      cause === undefined ? undefined : { cause: withoutAddress(cause) },
    )
    Object.assign(this, call)
    hide(this, { mayPass: !neverPasses.test(`${causeCode(cause)} ${textOf(cause)}`) })
  }
}

/** An attempt, or the whole call, ran out of time. */
export class TimeoutError extends ConnectionError {
  static {
    named(this, 'TimeoutError')
  }
}

/** The response belongs to another request. A write may have taken effect: read before you
 *  repeat it. */
export class MismatchedResponseError extends SvcError {
  static {
    named(this, 'MismatchedResponseError')
  }
  readonly idempotencyKey: string | undefined

  constructor({ method, path, idempotencyKey }: FailedCall) {
    super(`${method} ${path}: the response belongs to another request`)
    this.idempotencyKey = idempotencyKey
  }
}

/** The awaited event did not happen in time. */
export class WaitTimeoutError extends SvcError {
  static {
    named(this, 'WaitTimeoutError')
  }
}

/** The authorization server issued no token; `code` is its reason, such as `invalid_client`. */
export class TokenError extends APIError {
  static {
    named(this, 'TokenError')
  }
}

/** Adds the call's stack, so the error names one of the caller's lines. */
export function located(error: unknown, { stack = '' }: Error): unknown {
  if (error instanceof SvcError) {
    const frames = stack.split('\n').filter(line => /^\s+at |@/.test(line))
    error.stack = [`${error.name}: ${error.message}`, ...frames].join('\n')
  }
  return error
}

/** Adds properties that neither console.log nor JSON shows. */
export function hide<T extends object, M extends object>(target: T, members: M): T & M {
  for (const [name, value] of Object.entries(members)) {
    Object.defineProperty(target, name, { value, enumerable: false, writable: true })
  }
  return target as T & M
}

/** A failed connection's code, however deep the runtime hides it. */
export function causeCode(cause: unknown): string | undefined {
  for (let at = cause, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const { code } = at as { code?: unknown }
    if (typeof code === 'string') return code
  }
  return undefined
}

const textOf = (cause: unknown): string => {
  const parts: string[] = []
  for (let at = cause, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    parts.push(at.message)
  }
  return parts.join(': ')
}

/** Describes what failed, with the runtime's own code or text. */
export function causeText(cause: unknown): string {
  const code = causeCode(cause)
  const isBare = code === undefined || code === 'ERR_PROXY_TUNNEL'
  const said = (isBare ? textOf(cause) : code).replaceAll(/\S+:\/\/\S+/g, '…')
  return worded(said) || 'no reason was given'
}

/** Runtimes put the URL into their errors, and a query contains what was searched for. */
function withoutAddress(cause: unknown): Error {
  const code = causeCode(cause)
  const clean = new Error(causeText(cause))
  clean.name = cause instanceof Error ? cause.name : 'Error'
  return code === undefined ? clean : Object.assign(clean, { code })
}
