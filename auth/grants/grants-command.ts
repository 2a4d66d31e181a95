// The command `npm run admin -- grants`: clinics, and integrations' requests to them.
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

clinic creates a clinic, whose ID integrations name to ask for access in live mode. A clinic goes
live only with an incident email, here or in the console's Settings.
invite emails a person who becomes the clinic's first administrator. Administrators invite everyone
else in the console.
confirm restores the roles of an only administrator who recovered their account without a second
factor. Make sure by phone that it was them.
list shows requests and grants. A request without a decision lapses after 30 days.
approve gives every requested scope, or --scopes; the integration sees the note. --by is the email
of the account of the person who decides, who must not belong to the integration.
revoke ends a grant from the next request on.

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
    return `${id} is active with ${scopes.join(', ')}.`
  },
  async decline(connection, id, flags) {
    await decided(connection, id, null, flags)
    return `${id} is declined.`
  },
  async invite(connection, organization, { email = '' }) {
    if (!isEmailAddress(email)) throw new CommandFault('--email must be an email address.')
    const act = { ...actOfOperator(), organization }
    const { refusal } = await inviteStaff(connection, { email, roles: ['admin'] }, act)
    if (refusal !== null) throw new CommandFault(staffRefusals[refusal] ?? refusal)
    return `${email} is invited to the staff of ${organization} as an administrator.`
  },
  async confirm(connection, organization, { email = '' }) {
    const [person] = await connection.run<Row & { id: string }>(
      sql`select id from auth.persons where lower(email) = lower(${email}) and disabled_at is null`,
    )
    const act = { ...actOfOperator(), organization }
    const { refusal } = await confirmStaff(connection, person?.id ?? '', act)
    if (refusal !== null) throw new CommandFault(staffRefusals[refusal] ?? refusal)
    return `The roles of ${email} count again.`
  },
  async revoke(connection, id, flags) {
    const { refusal } = await revokeGrant(connection, id, await actOfPerson(connection, flags))
    if (refusal !== null) throw new CommandFault(refusals[refusal])
    return `${id} is revoked: the next call for this clinic is refused.`
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

/** Decisions name a person: the audit row and the grant record who decided. */
async function actOfPerson(connection: Connection, { by }: Flags): Promise<Act> {
  if (by === undefined) {
    throw new CommandFault('Say who decides: --by with the email address of their account.')
  }
  const [person] = await connection.run<Row & { id: string }>(
    sql`select id from auth.persons where public.normalized_email(email) = public.normalized_email(${by}) and disabled_at is null`,
  )
  if (person === undefined) throw new CommandFault(refusals.unknown_person)
  return { ...actOfOperator(), person: person.id }
}

const staffRefusals: Partial<Record<RefusedClinicChange, string>> = {
  unknown_organization: 'There is no such clinic: `npm run admin -- grants clinics` lists them.',
  already_staff: 'That person is staff of the clinic already: its administrators change roles.',
  not_found: 'No account of that email on the staff waits for a confirmation.',
  too_many_invitations: 'Fifty invitations were sent for this clinic within a day.',
}

const refusals: Readonly<Record<RefusedGrantChange, string>> = {
  unknown_integration: 'There is no such integration, or it is suspended.',
  owner_required: 'Only an owner of the integration may do this.',
  unknown_scope:
    'The scopes must be some of those that were asked for: `npm run admin -- grants list`.',
  unknown_organization: 'There is no such clinic: `npm run admin -- grants clinics` lists them.',
  unknown_person: '--by must be the email address of an account. A person makes one at AUTH_URL.',
  already_requested: 'The clinic has an open request or a grant of this integration already.',
  own_grant:
    'Who belongs to an integration may not decide its grant: --by must be the address of another person.',
  incident_email_required:
    'The clinic has no incident email: an administrator adds one in Settings of the console.',
  not_found: 'There is no such open request or grant: `npm run admin -- grants list` shows them.',
}

async function list(connection: Connection): Promise<string> {
  const grants = await listLiveGrants(connection)
  return grants.length === 0
    ? 'There are no requests and no grants in live mode.'
    : grants.map(described).join('\n\n')
}

function described(grant: GrantRow): string {
  const asked = grant.requested_scopes
  const when =
    grant.status === 'pending'
      ? `asked ${grant.created_at.slice(0, 10)} by ${grant.requested_by_name ?? 'the operator'}, lapses ${grant.lapses_at?.slice(0, 10)}`
      : `since ${(grant.ended_at ?? grant.decided_at ?? grant.created_at).slice(0, 10)}`
  return [
    `${grant.id}  ${grant.status}  ${when}`,
    `  ${grant.integration} ${grant.integration_name} → ${grant.organization} ${grant.organization_name}`,
    ...(asked === null ? [] : [`  asked for: ${asked.join(', ')}`]),
    ...(grant.scopes.length === 0 ? [] : [`  given: ${grant.scopes.join(', ')}`]),
    ...(grant.note === null ? [] : [`  note: ${grant.note.replaceAll('\n', ' ')}`]),
  ].join('\n')
}

type ClinicRow = Row & { id: string; name: string; slug: string; status: string }

async function listClinics(connection: Connection): Promise<string> {
  const clinics = await connection.run<ClinicRow>(sql`
    select id, name, slug, status from auth.organizations
     where sandbox_of is null order by id limit 1000`)
  if (clinics.length === 0) {
    return 'There is no clinic yet. `npm run admin -- grants clinic --name "…" --slug …` makes one.'
  }
  return clinics.map(({ id, name, slug, status }) => [id, status, slug, name].join('  ')).join('\n')
}

async function openClinic(connection: Connection, flags: Flags): Promise<string> {
  const name = nameFrom(flags.name, 'the clinic a --name of 1 to 200 characters')
  const slug = flags.slug ?? ''
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug) || slug.length > 63) {
    throw new CommandFault('--slug must be lowercase words joined by hyphens: example-clinic.')
  }
  const [taken] = await connection.run(
    sql`select from auth.organizations where slug = ${slug} and sandbox_of is null`,
  )
  if (taken !== undefined) throw new CommandFault(`--slug must be new: ${slug} is taken.`)
  const incident = flags['incident-email'] ?? null
  if (incident !== null && !isEmailAddress(incident)) {
    throw new CommandFault('--incident-email must be an email address.')
  }
  return `${await openOrganization(connection, name, slug, incident)} is ${name}.`
}
