// The library's errors. Classes for individual problem codes are generated and extend APIError.

import { retriedCodes, retriedStatuses } from './generated/contract.ts'
import type { FieldError, Problem } from './generated/schemas/problems.ts'
import { neverPasses, worded } from './network/network.ts'

/** A program may load this package twice, as an ES module and as CommonJS. This shared symbol
 *  lets `instanceof` recognize errors from either copy. */
const family = Symbol.for('@svc/sdk')

/** The base class of the API client's errors. Incorrect use throws a TypeError instead. */
export class SvcError extends Error {
  static {
    named(this, 'SvcError')
  }
  /** If a list failed partway, the last received item's ID. Pass it as `starting_after` to
   *  resume. */
  declare lastId?: string

  static override [Symbol.hasInstance](value: unknown): boolean {
    const { prototype } = this as { prototype: object }
    const base = Object.getPrototypeOf(prototype) as object
    const own = Object.hasOwn(prototype, family) ? prototype : base
    // Subclasses defined by callers compare as usual.
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

/** Sets an error class's name, because minification renames classes. */
export function named(
  { prototype }: { prototype: object },
  name: string,
  kind: 'class' | 'code' = 'class',
): void {
  Object.assign(prototype, { name, [family]: kind })
}

/** Stands for the path of an upload, whose URL is a credential. */
export const storagePath = '(storage)'

/** The call that failed. Its path is a template, so it contains no patient ID. */
export type FailedCall = {
  readonly method: string
  readonly path: string
  readonly attempts: number
  readonly idempotencyKey?: string | undefined
}

export type Refusal = {
  readonly status: number
  readonly headers: Headers
  /** The response body, if it is a problem; otherwise empty. */
  readonly problem: Partial<Problem>
  readonly retryAfter: number | undefined
  readonly call: FailedCall
}

/** The API rejected the request, or failed. Branch on `code` or on the class. */
export class APIError extends SvcError {
  static {
    named(this, 'APIError')
  }
  declare readonly status: number
  /** A stable problem code; `unknown` if the response isn't a problem. */
  declare readonly code: string
  declare readonly title: string
  declare readonly detail: string
  /** What to do next. */
  declare readonly hint: string
  declare readonly requestId: string | undefined
  /** The request's invalid values, each with a pointer to its field. */
  declare readonly errors: readonly FieldError[]
  declare readonly docUrl: string | undefined
  /** Seconds to wait before a retry, from the `Retry-After` header. */
  declare readonly retryAfter: number | undefined
  declare readonly method: string
  declare readonly path: string
  declare readonly attempts: number
  declare readonly idempotencyKey: string | undefined
  declare readonly headers: Headers
  /** The problem body as received. */
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

  /** Omits `headers` and `raw`. */
  toJSON(): object {
    return { ...this, name: this.name, message: this.message }
  }
}

/** Creates the error class for one problem code. */
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
    if (path === storagePath) return `unknown ${at} ${problem.detail || `the response is ${type}`}`
    const location = headers.get('location')
    const where = location === null ? '' : ` It redirects to ${new URL(location, 'http://x').host}.`
    return `unknown ${at} the response is ${type}, not an API problem. Check baseUrl.${where}`
  }
  const pointers = (problem.errors ?? []).map(({ pointer, message }) => `${pointer}: ${message}`)
  const said = [problem.detail, ...pointers.slice(0, 5)].filter(Boolean).join(' ')
  const id = problem.request_id ? ` [${problem.request_id}]` : ''
  return `${problem.code} ${at} ${said}${problem.hint ? ` — ${problem.hint}` : ''}${id}`
}

/** No response: the connection failed, or closed early. */
export class ConnectionError extends SvcError {
  static {
    named(this, 'ConnectionError')
  }
  declare readonly method: string
  declare readonly path: string
  declare readonly attempts: number
  /** Writes only. Repeat the call with this key, so it takes effect only once. */
  declare readonly idempotencyKey: string | undefined

  /** Whether a retry may succeed. False for a wrong host name, certificate or proxy. */
  declare readonly mayPass: boolean

  constructor(message: string, call: FailedCall, cause?: unknown) {
    const { method, path, attempts, idempotencyKey } = call
    const isFirst = attempts === 1
    const isRefused = isFirst && cause instanceof APIError && cause.status === 429
    const isUnknown = idempotencyKey !== undefined && !isRefused
    const again = isUnknown ? ' — it may have taken effect' : ''
    super(
      `${message} ${method} ${path}, ${attempts} attempt${isFirst ? '' : 's'}${again}`,
      cause === undefined
        ? undefined
        : { cause: cause instanceof SvcError ? cause : withoutAddress(cause) },
    )
    Object.assign(this, call)
    hide(this, { mayPass: !neverPasses.test(`${causeCode(cause)} ${textOf(cause)}`) })
  }
}

/** An attempt or the whole call timed out. */
export class TimeoutError extends ConnectionError {
  static {
    named(this, 'TimeoutError')
  }
}

/** The response is about another resource. A write may have taken effect, so read the resource
 *  before you repeat it. */
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

/** A `waitFor` call timed out. */
export class WaitTimeoutError extends SvcError {
  static {
    named(this, 'WaitTimeoutError')
  }
}

/** The authorization server issued no token. `code` is its reason, such as `invalid_client`. */
export class TokenError extends APIError {
  static {
    named(this, 'TokenError')
  }
}

/** A copy of the error with the call's key, and the call's stack, which includes the caller's
 *  line. Several calls can share an error, such as that of a failed token request. */
export function located(error: unknown, { stack = '' }: Error, idempotencyKey?: string): unknown {
  if (!(error instanceof SvcError)) return error
  const copy = new Error() as SvcError
  Object.setPrototypeOf(copy, Object.getPrototypeOf(error) as object)
  Object.defineProperties(copy, Object.getOwnPropertyDescriptors(error))
  if (idempotencyKey !== undefined) Object.assign(copy, { idempotencyKey })
  const frames = stack.split('\n').filter(line => /^\s+at |@/.test(line))
  copy.stack = [`${copy.name}: ${copy.message}`, ...frames].join('\n')
  return copy
}

/** Gives an error the key of a method whose requests derive their keys from it. */
export async function keyed<T>(idempotencyKey: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof SvcError) Object.assign(error, { idempotencyKey })
    throw error
  }
}

export const mayRetry = ({ status, code }: { status: number; code: string }): boolean =>
  retriedStatuses.includes(status) || retriedCodes.includes(code)

/** Whether an error or a problem refuses the request, so that a retry wouldn't help. */
export const isRefusal = (error: unknown): boolean =>
  (Object(error) as APIError).status < 500 && !mayRetry(error as APIError)

/** Adds non-enumerable properties, which console.log and JSON omit. */
export function hide<T extends object, M extends object>(target: T, members: M): T & M {
  for (const [name, value] of Object.entries(members)) {
    Object.defineProperty(target, name, { value, enumerable: false, writable: true })
  }
  return target as T & M
}

/** A failed connection's code, which runtimes may nest several causes deep. */
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

/** Describes the failure with the runtime's own code or text. */
export function causeText(cause: unknown): string {
  const code = causeCode(cause)
  const isBare = code === undefined || code === 'ERR_PROXY_TUNNEL'
  const said = (isBare ? textOf(cause) : code).replaceAll(/\S+:\/\/\S+/g, '…')
  return worded(said) || 'no reason was given'
}

/** Copies the error without the URL that runtimes include, because its query may identify a
 *  patient. */
function withoutAddress(cause: unknown): Error {
  const code = causeCode(cause)
  const clean = new Error(causeText(cause))
  clean.name = cause instanceof Error ? cause.name : 'Error'
  return code === undefined ? clean : Object.assign(clean, { code })
}
