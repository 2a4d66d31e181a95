// The read scope for a write's response. A credential without that scope receives only the ID and
// the fields that its request sent.

import { Case } from '../api/cases.ts'
import { Event } from '../api/events.ts'
import { File } from '../api/files.ts'
import { Consent, Patient } from '../api/patients.ts'
import { Message } from '../api/thread.ts'
import { Visit } from '../api/visits.ts'
import { type AnyOperation, isWrite } from '../operation.ts'
import type { Scope } from '../scopes.ts'

const scopes = new Map<AnyOperation['returns'], Scope>([
  [Patient, 'patients:read'],
  [Consent, 'patients:read'],
  [File, 'patients:read'],
  [Case, 'cases:read'],
  [Message, 'cases:read'],
  [Visit, 'visits:read'],
  [Event, 'events:read'],
])

/** Null for a read, and for a write whose callers may all read the whole response. */
export const readScopeOf = (operation: Pick<AnyOperation, 'method' | 'returns'>): Scope | null =>
  isWrite(operation) ? (scopes.get(operation.returns) ?? null) : null

/** The part of a resource that a credential without the read scope receives. A deleted patient has
 *  only fields that this credential may receive. */
export function partOf(resource: string, sent: unknown): string {
  const members = JSON.parse(resource) as Record<string, unknown>
  if (members['deleted'] === true) return resource
  const own = typeof sent === 'object' && sent !== null ? (sent as Record<string, unknown>) : {}
  const part: Record<string, unknown> = { id: members['id'] }
  for (const name in members) if (Object.hasOwn(own, name)) part[name] = own[name]
  return JSON.stringify(part)
}
