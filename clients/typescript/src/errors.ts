// The library's errors. Errors for single codes are generated and extend APIError.

import type { FieldError, Problem } from './generated/schemas/problems.ts'
import { neverPasses, worded } from './network/network.ts'

/** A package may be loaded twice, as ES module and as CommonJS: both know each other's errors. */
const family = Symbol.for('@svc/sdk')

/** Everything that this library throws, but a TypeError for a wrong use of it. */
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
    // A class of the caller's own is compared as usual.
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

/** Gives a class of errors its name, which stays when code is minified. */
export function named(
  { prototype }: { prototype: object },
  name: string,
  kind: 'class' | 'code' = 'class',
): void {
  Object.assign(prototype, { name, [family]: kind })
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
  /** The answer's body, if it was a problem. */
  readonly problem: Partial<Problem>
  readonly retryAfter: number | undefined
  readonly call: FailedCall
}

/** The API refused, or failed. `code` says why; branch on it, or on the class. */
export class APIError extends SvcError {
  static {
    named(this, 'APIError')
  }
  declare readonly status: number
  /** Stable; of an answer that is no problem `unknown`. */
  declare readonly code: string
  declare readonly title: string
  declare readonly detail: string
  /** Says what to do next. */
  declare readonly hint: string
  declare readonly requestId: string | undefined
  /** The invalid values in the request, each with a pointer. */
  declare readonly errors: readonly FieldError[]
  declare readonly docUrl: string | undefined
  /** Seconds, when the answer named them. */
  declare readonly retryAfter: number | undefined
  declare readonly method: string
  declare readonly path: string
  declare readonly attempts: number
  declare readonly idempotencyKey: string | undefined
  declare readonly headers: Headers
  /** The problem as it was answered. */
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

  /** Never what was sent. */
  toJSON(): object {
    return { ...this, name: this.name, message: this.message }
  }
}

/** The class of one code of the API: its instances have no other one. */
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

/** No answer: the connection failed, or ended in the middle. */
export class ConnectionError extends SvcError {
  static {
    named(this, 'ConnectionError')
  }
  declare readonly method: string
  declare readonly path: string
  declare readonly attempts: number
  /** Send the call again with it, and it takes effect once. */
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

/** The time of an attempt, or of the whole call, was over. */
export class TimeoutError extends ConnectionError {
  static {
    named(this, 'TimeoutError')
  }
}

/** An answer of another request. A write may have taken effect: read before you repeat it. */
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

/** The authorization server gave no token; `code` is its reason, such as `invalid_client`. */
export class TokenError extends APIError {
  static {
    named(this, 'TokenError')
  }
}

/** Adds the call's stack, so that it names a line of the caller's. */
export function located(error: unknown, { stack = '' }: Error): unknown {
  if (error instanceof SvcError) {
    const frames = stack.split('\n').filter(line => /^\s+at |@/.test(line))
    error.stack = [`${error.name}: ${error.message}`, ...frames].join('\n')
  }
  return error
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

/** Runtimes put the address into their error, and a query names what was searched for. */
function withoutAddress(cause: unknown): Error {
  const code = causeCode(cause)
  const clean = new Error(causeText(cause))
  clean.name = cause instanceof Error ? cause.name : 'Error'
  return code === undefined ? clean : Object.assign(clean, { code })
}
