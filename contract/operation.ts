// The types of rows. A row is the only source of an operation's route, scope, input, output, events
// and refusals. Routes, checks, OpenAPI, tools and SDKs are computed from the rows.

import type { Static, TObject, TSchema } from 'typebox'
import type { Tag } from './tags.ts'
import type { PreviewTag } from './tags.ts'
import type { EventType } from './events.ts'
import type { ProblemCode, ProblemCodeOf } from './problems.ts'
import type { Scope } from './scopes.ts'

/** The APIs, each with its own table and document. */
export type ApiName = 'clinical' | 'preview' | 'site'

/** The fields that rows of every API share. */
export type RouteRow<Group extends string = string, Code extends string = string> = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: `/${string}`
  /** The operation's group in the document. */
  readonly tag: Group
  readonly summary: string
  readonly description?: string
  /** Every accepted parameter. Absent means none. */
  readonly query?: TObject
  /** Refusals in addition to the ones that the method and path imply. */
  readonly refuses?: readonly Code[]
}

/** An operation's response. */
export type Answer = {
  readonly status: number
  readonly description: string
  /** The body by media type. */
  readonly content: Readonly<
    Record<string, { readonly schema: TSchema; readonly example?: unknown }>
  >
}

/** A credential belongs to one mode and can't read the other mode's data. */
export const modes = ['test', 'live'] as const
export type Mode = (typeof modes)[number]
export const isMode = (text: string): text is Mode => modes.some(mode => mode === text)

/** Separate rate limits for expensive operations. */
export type Quota = 'exports' | 'redeliveries' | 'triggers'

/** The fields that the pipeline needs in addition to the route. */
type Performed = {
  /** A write's body. `none` accepts no body, or `{}`. */
  readonly body?: TObject | 'none'
  /** A separate rate limit, in addition to the general one. */
  readonly quota?: Quota
  readonly status: 200 | 201 | 202
  readonly returns: TSchema
}

/** An operation in any table: the clinical API's or another surface's. */
export type AnyOperation = RouteRow<string, ProblemCode> & Performed
export type Operations = Readonly<Record<string, AnyOperation>>

/** An operation that a key or an access token can call. */
export type CredentialOperation = RouteRow<string, ProblemCodeOf<'v1'>> &
  Performed & {
    readonly scope: Scope
    /** Other scopes that are also required. */
    readonly alsoNeeds?: readonly Scope[]
    /** Any of these scopes suffices, because the response contains only what the caller's scopes
     *  allow. */
    readonly orScopes?: readonly Scope[]
    /** `test` operations exist only in the sandbox and refuse live credentials. */
    readonly mode: 'both' | 'test'
    /** Whether the tool server offers the operation. */
    readonly tool: boolean
    /** Whether the operation's response has an ETag, so If-None-Match can return 304. */
    readonly hasETag?: boolean
    readonly emits?: readonly EventType[]
  }

export type Operation = CredentialOperation & {
  readonly path: `/v1/${string}`
  readonly tag: Tag
}

/** An operation that can change with 30 days' notice, and that no tool server offers. */
export type PreviewOperation = CredentialOperation & {
  readonly path: `/preview/${string}`
  readonly tag: PreviewTag
  readonly tool: false
}

/** Keeps the rows' literals in their type, so handlers are checked against them. */
export const define = <const T extends Record<string, Operation>>(rows: T): T => rows
/** Like `define`, for the preview's rows. */
export const definePreview = <const T extends Record<string, PreviewOperation>>(rows: T): T => rows

/** Refusal codes that every operation can return. */
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

/** More refusal codes that every write can return. */
export const writeRefusal = [
  'idempotency_key_required',
  'idempotency_in_progress',
  'payload_too_large',
  'unsupported_media_type',
  'idempotency_key_reused',
] as const satisfies readonly ProblemCodeOf<'v1'>[]

export const isWrite = ({ method }: Pick<RouteRow, 'method'>) => method !== 'GET'

/** The path parameters, in order. */
export const pathNames = (path: string) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(found => found[1] ?? '')

/** Every code an operation can return: common codes first, the operation's own codes last. */
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

/** A handler's input: path, query and body in one object, validated and with defaults. */
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
