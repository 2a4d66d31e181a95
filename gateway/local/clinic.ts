// The clinic that `npm start` creates on a local platform, for trying live mode and the console:
// staff in each role, and an integration with an agreement, a grant and a live key.
import { acceptAgreement, listAgreements } from '#auth/agreements/agreements.ts'
import { createIntegration } from '#auth/accounts/members.ts'
import { ensureLocalPerson, type LocalAccess } from '#auth/accounts/local-person.ts'
import { decideGrant, listGrants, requestGrant } from '#auth/grants/grants.ts'
import { issueKey, openOrganization } from '#auth/integrations.ts'
import { actOfOperator } from '#auth/operator.ts'
import { hashArray, hashesOf, type Peppers } from '#auth/pepper.ts'
import { currentAgreement } from '#content/agreement.ts'
import { type StaffRole, staffRoles } from '#contract/console/row.ts'
import { allScopes } from '#contract/scopes.ts'
import type { Encryption } from '#database/encryption.ts'
import { type Connection, openPool, type Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { synthetic } from './cases.ts'
import { storedKey, storedPerson } from './stored.ts'
import type { Act } from '#auth/act.ts'

/** The part of `dev.json` about a local platform's live mode. */
export type LocalClinic = {
  readonly live_key: string
  readonly live_integration: string
  readonly live_organization: string
  /** The owner of the live key's integration. */
  readonly live_owner: LocalAccess
  readonly staff: Readonly<Record<StaffRole, LocalAccess>>
}

type Parts = {
  readonly peppers: Peppers
  readonly encryption: Encryption
  readonly dataDir: string
}

const slug = 'local-clinic'
const integrationName = 'Sample brand'

/** Returns the same data on every start: keeps the data in `dev.json`, and creates any that's
 *  missing. */
export async function ensureLocalClinic(ownerUrl: string, parts: Parts): Promise<LocalClinic> {
  const pool = openPool({ url: ownerUrl, size: 1, name: 'local clinic' })
  try {
    return await pool.use(connection => ensure(connection, parts))
  } finally {
    await pool.close()
  }
}

async function ensure(connection: Connection, parts: Parts): Promise<LocalClinic> {
  const organization = await clinicOf(connection)
  const staff = await ensureStaff(connection, organization, parts)
  const owner = await personOf(connection, parts, 'live_owner', 'brand@example.com', 'Brand owner')
  const integration = await integrationOf(connection, owner.person)
  const decider = staff.admin.person
  await ensureLive(connection, { integration, organization, owner: owner.person, decider })
  return {
    live_key: await keyOf(connection, integration, parts),
    live_integration: integration,
    live_organization: organization,
    live_owner: owner.access,
    staff: byRole(role => staff[role].access),
  }
}

const byRole = <T>(valueOf: (role: StaffRole) => T) =>
  Object.fromEntries(staffRoles.map(role => [role, valueOf(role)])) as Record<StaffRole, T>

async function clinicOf(connection: Connection): Promise<string> {
  const [found] = await connection.run<Row & { id: string }>(
    sql`select id from auth.organizations where slug = ${slug} and sandbox_of is null`,
  )
  return found?.id ?? openOrganization(connection, 'Sample Clinic', slug, 'admin@example.com')
}

const personOf = (
  connection: Connection,
  { encryption, dataDir }: Parts,
  stored: string,
  email: string,
  name: string,
) =>
  ensureLocalPerson(connection, encryption, { email, name, stored: storedPerson(dataDir, stored) })

async function ensureStaff(connection: Connection, organization: string, parts: Parts) {
  const hired = await Promise.all(
    staffRoles.map(
      async role =>
        [
          role,
          await personOf(connection, parts, role, `${role}@example.com`, names[role]),
        ] as const,
    ),
  )
  const staff = Object.fromEntries(hired) as Record<StaffRole, (typeof hired)[number][1]>
  for (const role of staffRoles) {
    await connection.run(sql`
      insert into auth.staff (organization, person, name, roles)
      values (${organization}, ${staff[role].person}, ${names[role]}, ${[role]}::text[])
      on conflict (organization, person) do nothing`)
  }
  const states = [...new Set(synthetic.map(({ patient }) => patient.address.state))]
  await connection.run(sql`
    insert into auth.licenses (organization, person, state, number, expires_on)
    select ${organization}, ${staff.clinician.person}, state, 'SAMPLE-1', current_date + 365
      from unnest(${states}::text[]) as s (state)
    on conflict (organization, person, state) do update set expires_on = excluded.expires_on
      where licenses.expires_on < current_date`)
  // Working hours every day, so a slot is always available soon.
  await connection.run(sql`
    insert into auth.working_hours (id, organization, person, weekday, starts_at, ends_at, time_zone,
                                    valid_from)
    select new_id('cal'), ${organization}, ${staff.clinician.person}, weekday, '08:00', '20:00',
           'America/Los_Angeles', current_date
      from generate_series(0, 6) as d (weekday)
     where not exists (select from auth.working_hours where organization = ${organization})`)
  return staff
}

/** Names as patients see them. Each name contains the role, which tells the people apart. */
const names: Readonly<Record<StaffRole, string>> = {
  admin: 'Alex Admin',
  clinician: 'Dr. Casey Clinician',
  nurse: 'Nico Nurse',
  pharmacy: 'Parker Pharmacy',
  records: 'Robin Records',
  auditor: 'Aubrey Auditor',
}

async function integrationOf(connection: Connection, owner: string): Promise<string> {
  const [found] = await connection.run<Row & { id: string }>(sql`
    select i.id from auth.integrations i join auth.members m on m.integration = i.id
     where i.name = ${integrationName} and i.suspended_at is null and m.person = ${owner}
       and m.role = 'owner' and m.removed_at is null order by i.id limit 1`)
  if (found) return found.id
  const made = await createIntegration(
    connection,
    { name: integrationName, owner },
    { ...actOfOperator(), person: owner },
  )
  if (made.refusal !== null) throw new Error(`The integration was refused: ${made.refusal}.`)
  return made.integration
}

type Sides = { integration: string; organization: string; owner: string; decider: string }

/** Creates the agreement and the grant with the same functions as the pages. */
async function ensureLive(connection: Connection, sides: Sides): Promise<void> {
  const { integration, organization, owner, decider } = sides
  const as = (person: string): Act => ({ ...actOfOperator(), person })
  const agreements = await listAgreements(connection, integration)
  if (!agreements.some(one => one.is_in_force)) {
    const signed = {
      name: 'Brand owner',
      title: 'Sample signatory',
      legalName: 'Sample Brand, Inc.',
      legalAddress: '100 Example Street, Austin, TX 78701',
    }
    const accepted = { integration, ...currentAgreement(), ...signed }
    await acceptAgreement(connection, accepted, as(owner))
  }
  const grants = await listGrants(connection, { integration, mode: 'live' })
  if (grants.some(one => one.organization === organization && one.status === 'active')) return
  const note = 'Created by npm start.'
  const asked = { integration, organization, scopes: allScopes, note }
  const { id } = await requestGrant(connection, asked, as(owner))
  await decideGrant(connection, { id, scopes: allScopes, note }, as(decider))
}

async function keyOf(
  connection: Connection,
  integration: string,
  { peppers, dataDir }: Parts,
): Promise<string> {
  const stored = storedKey(dataDir, 'live')
  if (stored !== null && (await isValid(connection, integration, hashesOf(peppers, stored)))) {
    return stored
  }
  const { key } = await issueKey(connection, peppers[0], {
    integration,
    mode: 'live',
    name: 'npm start',
  })
  return key
}

async function isValid(
  connection: Connection,
  integration: string,
  hashes: readonly Uint8Array[],
): Promise<boolean> {
  const rows = await connection.run(sql`
    select id from auth.credentials
     where hash = any (${hashArray(hashes)}) and integration = ${integration}
       and revoked_at is null and (expires_at is null or expires_at > now())`)
  return rows.length > 0
}
