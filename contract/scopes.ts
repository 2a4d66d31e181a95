// The twelve scopes, in published order.

export const scopes = {
  'organization:read': 'read the organization and its medication catalog',
  'patients:read': 'read patients, consents and files; with cases:read, export a patient',
  'patients:write': 'create, update and delete patients, record consents, add and delete files',
  'cases:read': 'read cases, their events and thread, prescriptions and orders',
  'cases:write': 'file, release, cancel, withdraw and answer cases; post to the thread',
  'events:read': 'poll the event stream',
  'webhooks:manage': 'manage endpoints, read deliveries, redeliver events',
  'realtime:subscribe': 'create a subscribe-only realtime token',
  'test:manage': 'simulate the clinician, the pharmacy and the clock in the sandbox',
  'billing:read': 'read usage and invoices',
  'visits:read': 'read slots, visits and join links',
  'visits:write': 'book, cancel and reschedule visits',
} as const

export type Scope = keyof typeof scopes
export const allScopes = Object.keys(scopes).filter(isScope)

/** Whether a string is one of the twelve scopes. */
export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopes, text)
}

/** The scopes that a key has and the clinic granted, in published order. */
export const intersect = (ours: readonly string[], theirs: readonly string[]): Scope[] =>
  allScopes.filter(scope => ours.includes(scope) && theirs.includes(scope))

/** The scopes of a token that acts for an integration's member, by the member's role. */
export const roleScopes = {
  owner: allScopes,
  developer: allScopes,
  billing: ['organization:read', 'billing:read'],
  viewer: allScopes.filter(scope => scope.endsWith(':read')),
} as const satisfies Record<string, readonly Scope[]>

export type MemberRole = keyof typeof roleScopes

/** The roles whose members may use a scope. */
export const rolesWith = (scope: Scope): MemberRole[] =>
  (Object.keys(roleScopes) as MemberRole[]).filter(
    role => intersect([scope], roleScopes[role]).length > 0,
  )

/** The surfaces a token can be limited to: the API and the tool server. */
const audiences = ['api', 'mcp'] as const
export type Audience = (typeof audiences)[number]
