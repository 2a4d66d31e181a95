// The twelve scopes, in the order in which they are published.

export const scopes = {
  'organization:read': 'read the organization and its medication catalog',
  'patients:read': 'read patients, consents and files, and with cases:read export one patient',
  'patients:write': 'create, change and delete patients, record consents, add and remove files',
  'cases:read': 'read cases, their events and thread, prescriptions and orders',
  'cases:write': 'file, release, cancel, withdraw and answer cases, write on the thread',
  'events:read': 'poll the event stream',
  'webhooks:manage': 'manage endpoints, read deliveries, redeliver events',
  'realtime:subscribe': 'create a subscribe-only realtime token',
  'test:manage': 'simulate the clinician, the pharmacy and the clock in the sandbox',
  'billing:read': 'read usage and invoices',
  'visits:read': 'read slots, a visit and its join link',
  'visits:write': 'book, cancel and reschedule visits',
} as const

export type Scope = keyof typeof scopes
export const allScopes = Object.keys(scopes).filter(isScope)

/** Whether a text is one of the twelve scopes. */
export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopes, text)
}

/** The intersection of what a key may do and what a clinic granted, in published order. */
export const intersect = (ours: readonly string[], theirs: readonly string[]): Scope[] =>
  allScopes.filter(scope => ours.includes(scope) && theirs.includes(scope))

/** What a member of an integration may do with it, through a token that acts for them. */
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

/** The surfaces that a token may be limited to: the API and the tool server. */
const audiences = ['api', 'mcp'] as const
export type Audience = (typeof audiences)[number]
