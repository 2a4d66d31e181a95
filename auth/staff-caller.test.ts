// Tests a staff member's session as a call's credential, for one clinic and the tenant of the
// resource that the call names.

import { afterAll, beforeEach, expect, test } from 'bun:test'
import { prefixes } from '#contract/ids.ts'
import { type Connection, openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { newId } from './ids.ts'
import { StaleCredential } from './guard.ts'
import { grant, openIntegration, openOrganization } from './integrations.ts'
import { findStaff, guardStaff, presentStaff, type StaffCaller } from './staff-caller.ts'
import { openAuthDatabase, pepper } from './testing/database.ts'
import { newPerson, newSession } from './testing/sessions.ts'
import { verify } from './testing/verify.ts'

const context = await openAuthDatabase()
const { owner, run, urls } = context
const pool = openPool({ url: urls.console, size: 1, name: 'console', path: 'live, public' })
afterAll(async () => {
  await pool.close()
  await context.close()
})

let integration: string
let clinic: string
let patient: string
let tenant: string
let session: { id: string; token: string }
beforeEach(async () => {
  ;({ integration } = await owner.use(one => openIntegration(one, 'Ada')))
  clinic = await openClinic()
  ;({ patient, tenant } = await addPatient(clinic))
  session = await hire(clinic)
})

async function openClinic() {
  const slug = `clinic-${crypto.randomUUID()}`
  const id = await owner.use(one => openOrganization(one, 'Clinic', slug))
  await owner.use(one => grant(one, { integration, organization: id, mode: 'live' }))
  return id
}
async function addPatient(organization: string) {
  const id = newId('patient')
  const [row] = await run(sql`
    insert into live.patients (tenant, id, first_name, last_name, date_of_birth, sex_at_birth, email,
                               phone, address, created_at, updated_at)
    select id, ${id}, 'Ben', 'Example', '1990-01-01', 'male', 'ben@example.com', '555', '{}', now(),
           now()
      from live.tenants where integration = ${integration} and organization = ${organization}
    returning tenant::text as tenant`)
  return { patient: id, tenant: String(row?.['tenant']) }
}
async function hire(organization: string) {
  const person = await newPerson(run)
  await run(sql`
    insert into auth.staff (organization, person, name, roles)
    values (${organization}, ${person}, 'Ada Example, MD', '{clinician}')`)
  await run(sql`
    insert into auth.licenses (organization, person, state, number, expires_on)
    values (${organization}, ${person}, 'CA', 'A 1', current_date)`)
  return newSession(run, person, 'console')
}

const present = (resource: string | null = patient, organization = clinic) =>
  presentStaff([pepper], { token: session.token, organization, resource })
const settings = async (connection: Connection) => {
  const [row] = await connection.run(sql`
    select current_setting('app.organization', true) as organization,
           current_setting('app.tenant', true) as tenant`)
  return [row?.['organization'], row?.['tenant']]
}
const find = (resource: string | null = patient, organization = clinic) =>
  pool.use(async connection => {
    const caller = await findStaff(connection, present(resource, organization))
    return { caller, tenant: connection.tenant, settings: await settings(connection) }
  })
async function found(): Promise<StaffCaller> {
  const { caller } = await find()
  if (caller === null) throw new Error('the session was not found')
  return caller
}

test('a staff member is found with roles and licenses, for the patient’s tenant', async () => {
  const { caller, ...connection } = await find()
  expect(caller).toEqual({
    credential: {
      id: session.id,
      kind: 'session',
      mode: 'live',
      client: null,
      person: expect.stringMatching(/^per_/),
      integration,
    },
    tenant,
    ahead: 0,
    organization: clinic,
    revision: expect.any(String),
    staff: {
      name: 'Ada Example, MD',
      roles: ['clinician'],
      emergencyUntil: null,
      states: ['CA'],
      factorSeconds: null,
    },
  })
  expect(connection).toEqual({ tenant, settings: [clinic, tenant] })
})

// At any time, the day in at least one of these zones isn't the day in UTC.
test.each(['Pacific/Pago_Pago', 'Pacific/Kiritimati'])(
  'a license counts through its last day in the clinic’s zone, %s',
  async zone => {
    await run(sql`
      insert into auth.clinic_settings (organization, time_zone) values (${clinic}, ${zone})
          on conflict (organization) do update set time_zone = excluded.time_zone`)
    const states = async (daysLeft: number) => {
      await run(sql`
        update auth.licenses set expires_on = (now() at time zone ${zone})::date + ${daysLeft}::int
         where organization = ${clinic}`)
      return (await found()).staff.states
    }
    expect([await states(0), await states(-1)]).toEqual([['CA'], []])
  },
)

test('a staff member has no tenant for a list, another clinic’s patient or a non-resource', async () => {
  const second = await openClinic()
  const { patient: theirs } = await addPatient(second)
  for (const resource of [null, theirs, newId('patient'), newId('message'), 'x']) {
    const { caller, ...connection } = await find(resource)
    expect([resource, caller?.tenant, caller?.credential.integration]).toEqual([resource, '', null])
    expect(connection).toEqual({ tenant: '', settings: [clinic, ''] })
  }
  expect(Object.keys(prefixes)).toContain('message')
})

test('a call’s tenant is the patient’s, among a clinic’s several integrations', async () => {
  const second = await owner.use(one => openOrganization(one, 'Clinic', 'second-clinic'))
  const other = await owner.use(one => openIntegration(one, 'Other'))
  for (const one of [other.integration, integration]) {
    await owner.use(connection =>
      grant(connection, { integration: one, organization: second, mode: 'live' }),
    )
  }
  const added = await addPatient(second)
  session = await hire(second)
  const { caller } = await find(added.patient, second)
  expect([caller?.tenant, caller?.credential.integration]).toEqual([added.tenant, integration])
})

test('a staff member isn’t found for another clinic, or once the session has ended', async () => {
  const second = await openClinic()
  const elsewhere = await find(patient, second)
  expect([elsewhere.caller, elsewhere.settings]).toEqual([null, ['', '']])
  await run(sql`update auth.credentials set revoked_at = now() where id = ${session.id}`)
  expect((await find()).caller).toBeNull()
})

test('the staff guard passes for each of a call’s statements', async () => {
  const caller = await found()
  await pool.use(async connection => {
    await findStaff(connection, present())
    const guarded = guardStaff(connection, caller)
    for (let statement = 0; statement < 2; statement++) {
      expect(await verify(guarded)).toHaveLength(1)
    }
  })
})

const changes: [what: string, change: (connection: Connection) => Promise<unknown>][] = [
  [
    'the connection is set to another clinic',
    connection => connection.run(sql`select set_config('app.organization', 'org_x', false)`),
  ],
  [
    'the connection is set to another tenant',
    connection => connection.run(sql`select set_config('app.tenant', '0', false)`),
  ],
  [
    'the session is revoked',
    () => run(sql`update auth.credentials set revoked_at = now() where id = ${session.id}`),
  ],
  [
    'the person’s roles change',
    () => run(sql`update auth.staff set roles = '{nurse}' where organization = ${clinic}`),
  ],
]
test.each(changes)('the staff guard fails once %s', async (_what, change) => {
  await pool.use(async connection => {
    const caller = await findStaff(connection, present())
    if (caller === null) throw new Error('the session was not found')
    await change(connection)
    const query = verify(guardStaff(connection, caller))
    await expect(query).rejects.toBeInstanceOf(StaleCredential)
  })
})
