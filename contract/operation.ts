// The shape of a row. A row is the only place where an operation's route, scope, input, output,
// events and refusals are stated; routes, checks, OpenAPI, tools and SDKs are computed from it.

import type { Static, TObject, TSchema } from 'typebox'
import type { EventType } from './events.ts'
import type { ProblemCode } from './problems.ts'
import type { Scope } from './scopes.ts'

/** A credential belongs to exactly one mode, and sees nothing of the other. */
export const modes = ['test', 'live'] as const
export type Mode = (typeof modes)[number]

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Limits of their own, for what costs more than a call. */
export type Quota = 'exports' | 'redeliveries' | 'triggers'

export type Operation = {
  readonly method: Method
  readonly path: `/v1/${string}`
  readonly tag: string
  readonly scope: Scope
  /** `test`: played in the sandbox only, and refused to every live credential. */
  readonly mode: 'both' | 'test'
  /** Whether the tool server offers it. */
  readonly tool: boolean
  readonly summary: string
  readonly description?: string
  /** Every accepted parameter; absent: none is. */
  readonly query?: TObject
  /** The body of a write; `none` accepts nothing, or `{}`. */
  readonly body?: TObject | 'none'
  /** A limit of its own beside that of every call. */
  readonly quota?: Quota
  readonly status: 200 | 201 | 202
  readonly returns: TSchema
  readonly emits?: readonly EventType[]
  /** Refusals beyond the common sets below, and beyond the 404 that an id in the path implies. */
  readonly refuses?: readonly ProblemCode[]
}

/** Keeps every literal of the rows in the type, so that handlers are checked against them. */
export const define = <const T extends Record<string, Operation>>(rows: T): T => rows

/** What every operation may answer (contract/01, section 1: R). */
export const everyRefusal = [
  'invalid_request',
  'organization_required',
  'unauthorized',
  'forbidden',
  'insufficient_scope',
  'organization_not_granted',
  'baa_required',
  'rate_limited',
  'internal_error',
  'service_unavailable',
] as const satisfies readonly ProblemCode[]

/** What every write may answer besides (W). */
export const writeRefusal = [
  'idempotency_key_required',
  'idempotency_in_progress',
  'payload_too_large',
  'unsupported_media_type',
  'idempotency_key_reused',
] as const satisfies readonly ProblemCode[]

export const isWrite = (operation: Pick<Operation, 'method'>) => operation.method !== 'GET'

/** The names in braces of a path, in order. */
export const pathNames = (path: string) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(found => found[1] ?? '')

/** Every code an operation may answer: common ones first, its own last. */
export function refusalsOf(operation: Operation): ProblemCode[] {
  return [
    ...everyRefusal,
    ...(isWrite(operation) ? writeRefusal : []),
    ...(pathNames(operation.path).length > 0 ? (['not_found'] as const) : []),
    ...(operation.refuses ?? []),
  ]
}

type Names<P extends string> = P extends `${string}{${infer N}}${infer Rest}`
  ? N | Names<Rest>
  : never
type Of<T> = T extends TSchema ? Static<T> : unknown

/** What a handler receives: path, query and body in one object, checked and with defaults. */
export type InputOf<O extends Operation> = { [N in Names<O['path']>]: string } & Of<O['query']> &
  Of<O['body']>
export type OutputOf<O extends Operation> = Static<O['returns']>
export type RefusalOf<O extends Operation> =
  | (typeof everyRefusal)[number]
  | (O['method'] extends 'GET' ? never : (typeof writeRefusal)[number])
  | (Names<O['path']> extends never ? never : 'not_found')
  | (O['refuses'] extends readonly ProblemCode[] ? O['refuses'][number] : never)
export type EmitsOf<O extends Operation> = O['emits'] extends readonly EventType[]
  ? O['emits'][number]
  : never
