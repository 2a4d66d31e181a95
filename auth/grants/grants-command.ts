// The command `npm run admin -- grants` manages clinics and integrations' requests to them.
import { parseArgs } from 'node:util'
import { isScope, type Scope } from '#contract/scopes.ts'
import type { Connection, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { openOrganization } from '../integrations.ts'
import {
  actOfOperator,
  CommandFault,
  nameFrom,
  scopeLines,
  scopesFrom,
  unknownCommand,
} from '../operator.ts'
import { confirmStaff, inviteStaff, type RefusedClinicChange } from '../clinics/staff.ts'
import { isEmailAddress } from '../accounts/email-address.ts'
import {
  decideGrant,
  type GrantRow,
  listLiveGrants,
  type RefusedGrantChange,
  revokeGrant,
} from './grants.ts'
import type { Act } from '../act.ts'

export const grantsHelp = `Usage:
  npm run admin -- grants clinics
  npm run admin -- grants clinic --name "Example Clinic" --slug example-clinic
      [--incident-email incidents@example.com]
  npm run admin -- grants invite org_… --email admin@example.com
  npm run admin -- grants confirm org_… --email admin@example.com
  npm run admin -- grants list
  npm run admin -- grants approve grant_… --by clinician@example.com
      [--scopes patients:read,cases:read] [--note "…"]
  npm run admin -- grants decline grant_… --by clinician@example.com [--note "…"]
  npm run admin -- grants revoke grant_… --by clinician@example.com

clinic creates a clinic. Integrations use its ID to request live access. A clinic needs an incident
email before it can go live, set here or in the console's Settings.
invite emails the clinic's future first administrator. Administrators invite everyone else in the
console.
confirm restores a sole administrator's roles after they recovered their account without a second
factor. Call them first to make sure it was them.
list shows requests and grants. A request expires after 30 days without a decision.
approve grants every requested scope, or --scopes; the integration sees the note. --by is the email
of the person who decides, who can't be a member of the integration.
revoke takes effect on the integration's next request.

Scopes:
${scopeLines}`

type Flags = Partial<
  Record<'name' | 'slug' | 'by' | 'scopes' | 'note' | 'email' | 'incident-email', string>
>

/** Runs one command and returns what to print. */
export async function grantsCommand(
  args: string[],
  { connection }: { connection: Connection },
): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      slug: { type: 'string' },
      by: { type: 'string' },
      scopes: { type: 'string' },
      note: { type: 'string' },
      email: { type: 'string' },
      'incident-email': { type: 'string' },
    },
  })
  const [command = '', id, ...rest] = positionals
  const isAlone = id === undefined
  if (command === 'clinics' && isAlone) return listClinics(connection)
  if (command === 'clinic' && isAlone) return openClinic(connection, values)
  if (command === 'list' && isAlone) return list(connection)
  const change = changes[command]
  if (change && !isAlone && rest.length === 0) return change(connection, id, values)
  throw unknownCommand(positionals)
}

type Change = (connection: Connection, id: string, flags: Flags) => Promise<string>

const changes: Readonly<Record<string, Change | undefined>> = {
  async approve(connection, id, flags) {
    const asked = (await listLiveGrants(connection)).find(one => one.id === id)
    const requested = asked?.requested_scopes?.filter(isScope) ?? []
    const scopes = flags.scopes === undefined ? requested : scopesFrom(flags.scopes)
    await decided(connection, id, scopes, flags)
    return `Approved ${id} with ${scopes.join(', ')}.`
  },
  async decline(connection, id, flags) {
    await decided(connection, id, null, flags)
    return `Declined ${id}.`
  },
  async invite(connection, organization, { email = '' }) {
    if (!isEmailAddress(email)) throw new CommandFault('--email must be an email address.')
    const act = { ...actOfOperator(), organization }
    const { refusal } = await inviteStaff(connection, { email, roles: ['admin'] }, act)
    if (refusal !== null) throw new CommandFault(staffRefusals[refusal] ?? refusal)
    return `Invited ${email} to ${organization} as an administrator.`
  },
  async confirm(connection, organization, { email = '' }) {
    const act = { ...actOfOperator(), organization }
    const person = await findPerson(connection, email)
    const { refusal } = await confirmStaff(connection, person ?? '', act)
    if (refusal !== null) throw new CommandFault(staffRefusals[refusal] ?? refusal)
    return `Restored the roles of ${email}.`
  },
  async revoke(connection, id, flags) {
    const { refusal } = await revokeGrant(connection, id, await actOfPerson(connection, flags))
    if (refusal !== null) throw new CommandFault(refusals[refusal])
    return `Revoked ${id}. The next request for this clinic is refused.`
  },
}

async function decided(
  connection: Connection,
  id: string,
  scopes: readonly Scope[] | null,
  flags: Flags,
): Promise<void> {
  const act = await actOfPerson(connection, flags)
  const note = flags.note ?? ''
  if (note.length > 1000) throw new CommandFault('--note must have at most 1000 characters.')
  const { refusal } = await decideGrant(connection, { id, scopes, note }, act)
  if (refusal !== null) throw new CommandFault(refusals[refusal])
}

/** A decision needs a person, because the audit row and the grant record who decided. */
async function actOfPerson(connection: Connection, { by }: Flags): Promise<Act> {
  if (by === undefined) {
    throw new CommandFault("Say who decides: --by with their account's email address.")
  }
  const person = await findPerson(connection, by)
  if (person === undefined) throw new CommandFault(refusals.unknown_person)
  return { ...actOfOperator(), person }
}

async function findPerson(connection: Connection, email: string): Promise<string | undefined> {
  const [person] = await connection.run<Row & { id: string }>(sql`
    select id from auth.persons
     where public.normalized_email(email) = public.normalized_email(${email})
       and disabled_at is null`)
  return person?.id
}

const staffRefusals: Partial<Record<RefusedClinicChange, string>> = {
  unknown_organization: 'No clinic has this ID. See: npm run admin -- grants clinics',
  already_staff: 'This person already works at the clinic. Its administrators can change roles.',
  not_found: 'No staff account with this email needs confirmation.',
  too_many_invitations: 'This clinic sent 50 invitations within a day. Try again tomorrow.',
}

const refusals: Readonly<Record<RefusedGrantChange, string>> = {
  unknown_integration: 'No active integration has this ID.',
  owner_required: 'Only an owner of the integration can do this.',
  unknown_scope: 'The scopes must be among the requested ones. See: npm run admin -- grants list',
  unknown_organization: 'No clinic has this ID. See: npm run admin -- grants clinics',
  unknown_person: "--by must be an account's email address. Accounts are created at AUTH_URL.",
  already_requested: 'This integration already has a grant or an open request for the clinic.',
  own_grant: "Members of an integration can't decide its grant. --by must name someone else.",
  incident_email_required:
    "The clinic has no incident email. An administrator must add one in the console's Settings.",
  not_found: 'No open request or grant has this ID. See: npm run admin -- grants list',
}

async function list(connection: Connection): Promise<string> {
  const grants = await listLiveGrants(connection)
  return grants.length === 0 ? 'No live requests or grants.' : grants.map(described).join('\n\n')
}

function described(grant: GrantRow): string {
  const asked = grant.requested_scopes
  const when =
    grant.status === 'pending'
      ? `requested ${grant.created_at.slice(0, 10)} by ${grant.requested_by_name ?? 'the operator'}, expires ${grant.lapses_at?.slice(0, 10)}`
      : `since ${(grant.ended_at ?? grant.decided_at ?? grant.created_at).slice(0, 10)}`
  return [
    `${grant.id}  ${grant.status}  ${when}`,
    `  ${grant.integration} ${grant.integration_name} → ${grant.organization} ${grant.organization_name}`,
    ...(asked === null ? [] : [`  requested: ${asked.join(', ')}`]),
    ...(grant.scopes.length === 0 ? [] : [`  granted: ${grant.scopes.join(', ')}`]),
    ...(grant.note === null ? [] : [`  note: ${grant.note.replaceAll('\n', ' ')}`]),
  ].join('\n')
}

type ClinicRow = Row & { id: string; name: string; slug: string; status: string }

async function listClinics(connection: Connection): Promise<string> {
  const clinics = await connection.run<ClinicRow>(sql`
    select id, name, slug, status from auth.organizations where sandbox_of is null order by id`)
  if (clinics.length === 0) {
    return 'No clinics yet. Create one with `npm run admin -- grants clinic --name "…" --slug …`.'
  }
  return clinics.map(({ id, name, slug, status }) => [id, status, slug, name].join('  ')).join('\n')
}

async function openClinic(connection: Connection, flags: Flags): Promise<string> {
  const name = nameFrom(flags.name, 'the clinic a --name of 1 to 200 characters')
  const slug = flags.slug ?? ''
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug) || slug.length > 63) {
    throw new CommandFault(
      '--slug must be lowercase words joined by hyphens, such as example-clinic.',
    )
  }
  const [taken] = await connection.run(
    sql`select from auth.organizations where slug = ${slug} and sandbox_of is null`,
  )
  if (taken !== undefined) throw new CommandFault(`--slug must be unique: ${slug} is taken.`)
  const incident = flags['incident-email'] ?? null
  if (incident !== null && !isEmailAddress(incident)) {
    throw new CommandFault('--incident-email must be an email address.')
  }
  return `${await openOrganization(connection, name, slug, incident)} is ${name}.`
}
