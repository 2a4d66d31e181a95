// The types of a row. A row is the only source of an operation's route, scope, input, output,
// events and refusals; routes, checks, OpenAPI, tools and SDKs are computed from it.

import type { Static, TObject, TSchema } from 'typebox'
import type { Tag } from './tags.ts'
import type { PreviewTag } from './tags.ts'
import type { EventType } from './events.ts'
import type { ProblemCode, ProblemCodeOf } from './problems.ts'
import type { Scope } from './scopes.ts'

/** The APIs, each with a table and a document of its own. */
export type ApiName = 'clinical' | 'preview' | 'site'

/** What the rows of both APIs have in common. */
export type RouteRow<Group extends string = string, Code extends string = string> = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: `/${string}`
  /** The group under which the document lists it. */
  readonly tag: Group
  readonly summary: string
  readonly description?: string
  /** Every accepted parameter; absent: none is. */
  readonly query?: TObject
  /** Refusals beyond those that the method and the path imply. */
  readonly refuses?: readonly Code[]
}

/** One answer of an operation. */
export type Answer = {
  readonly status: number
  readonly description: string
  /** By media type. */
  readonly content: Readonly<
    Record<string, { readonly schema: TSchema; readonly example?: unknown }>
  >
}

/** A credential belongs to exactly one mode, and sees nothing of the other. */
export const modes = ['test', 'live'] as const
export type Mode = (typeof modes)[number]
export const isMode = (text: string): text is Mode => modes.some(mode => mode === text)

/** Rate limits of their own, for operations that cost more than a call. */
export type Quota = 'exports' | 'redeliveries' | 'triggers'

/** What a pipeline needs of a row beside its route. */
type Performed = {
  /** The body of a write; `none` accepts nothing, or `{}`. */
  readonly body?: TObject | 'none'
  /** A rate limit of its own, beside that of every call. */
  readonly quota?: Quota
  readonly status: 200 | 201 | 202
  readonly returns: TSchema
}

/** An operation of any table: the clinical API's, or that of another surface. */
export type AnyOperation = RouteRow<string, ProblemCode> & Performed
export type Operations = Readonly<Record<string, AnyOperation>>

/** An operation that a key or an access token calls. */
export type CredentialOperation = RouteRow<string, ProblemCodeOf<'v1'>> &
  Performed & {
    readonly scope: Scope
    /** What it needs besides, for what else its answer holds. */
    readonly alsoNeeds?: readonly Scope[]
    /** `test`: exists in the sandbox only, and is refused to every live credential. */
    readonly mode: 'both' | 'test'
    /** Whether the tool server offers it. */
    readonly tool: boolean
    /** Whether its answer has an ETag, so that If-None-Match may be answered 304. */
    readonly hasETag?: boolean
    readonly emits?: readonly EventType[]
  }

export type Operation = CredentialOperation & {
  readonly path: `/v1/${string}`
  readonly tag: Tag
}

/** An operation that may change with 30 days' notice. No tool server offers it. */
export type PreviewOperation = CredentialOperation & {
  readonly path: `/preview/${string}`
  readonly tag: PreviewTag
  readonly tool: false
}

/** Keeps every literal of the rows in the type, so that handlers are checked against them. */
export const define = <const T extends Record<string, Operation>>(rows: T): T => rows
/** The same for rows of the preview. */
export const definePreview = <const T extends Record<string, PreviewOperation>>(rows: T): T => rows

/** What every operation may refuse with. */
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
] as const satisfies readonly ProblemCodeOf<'v1'>[]

/** What every write may refuse with besides. */
export const writeRefusal = [
  'idempotency_key_required',
  'idempotency_in_progress',
  'payload_too_large',
  'unsupported_media_type',
  'idempotency_key_reused',
] as const satisfies readonly ProblemCodeOf<'v1'>[]

export const isWrite = ({ method }: Pick<RouteRow, 'method'>) => method !== 'GET'

/** The names in braces of a path, in order. */
export const pathNames = (path: string) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(found => found[1] ?? '')

/** Every code an operation may answer: common ones first, its own last. */
export function refusalsOf(operation: CredentialOperation): ProblemCodeOf<'v1'>[] {
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
export type InputOf<O extends AnyOperation> = { [N in Names<O['path']>]: string } & Of<O['query']> &
  Of<O['body']>
export type OutputOf<O extends AnyOperation> = Static<O['returns']>
export type RefusalOf<O extends AnyOperation> =
  | (typeof everyRefusal)[number]
  | (O['method'] extends 'GET' ? never : (typeof writeRefusal)[number])
  | (Names<O['path']> extends never ? never : 'not_found')
  | (O['refuses'] extends readonly ProblemCode[] ? O['refuses'][number] : never)
export type EmitsOf<O> = O extends { readonly emits: readonly (infer E extends EventType)[] }
  ? E
  : never
