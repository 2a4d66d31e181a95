// The type of a read of the portal: what its pages show beyond the API, such as a list across
// endpoints, newest first, or the numbers of a chart. The pipeline performs it like an operation of
// the API, so that scopes, row-level security and the audit hold for it as well.
import { Type } from 'typebox'
import type { CredentialOperation } from '../../operation.ts'
import { limits } from '../../limits.ts'
import { idOf, whole } from '../../shapes.ts'

export type PortalRead = CredentialOperation & {
  readonly method: 'GET'
  readonly path: `/portal/${string}`
  readonly tag: 'Portal'
  readonly tool: false
  readonly status: 200
}

/** Keeps every literal of the rows in the type, so that handlers are checked against them. */
export const defineReads = <const T extends Record<string, PortalRead>>(rows: T): T => rows

/** The parameters of a list that starts with the newest: `before` leads to older items, `after` to
 *  newer ones, which come in ascending order. */
export const newestFirst = (noun: Parameters<typeof idOf>[0]) => ({
  limit: Type.Optional(whole(1, limits.pageMax, { default: limits.pageDefault })),
  before: Type.Optional(idOf(noun, { 'x-cursor': true })),
  after: Type.Optional(idOf(noun, { 'x-cursor': true })),
})
