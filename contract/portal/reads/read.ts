// The type of a portal read, for page content that the API doesn't have, such as a list across
// endpoints, newest first, or a chart's numbers. The pipeline performs a read like an API
// operation, so scopes, row-level security and the audit also apply.
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

/** Keeps every row's literals in the type, so handlers are checked against them. */
export const defineReads = <const T extends Record<string, PortalRead>>(rows: T): T => rows

/** Parameters of a list sorted newest first: `before` returns older items; `after` returns newer
 *  items, in ascending order. */
export const newestFirst = (noun: Parameters<typeof idOf>[0]) => ({
  limit: Type.Optional(whole(1, limits.pageMax, { default: limits.pageDefault })),
  before: Type.Optional(idOf(noun, { 'x-cursor': true })),
  after: Type.Optional(idOf(noun, { 'x-cursor': true })),
})
