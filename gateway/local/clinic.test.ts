import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findLiveConditions } from '#auth/agreements/agreements.ts'
import { openPersonStore } from '#auth/accounts/person-store.ts'
import { listKeys } from '#auth/integrations.ts'
import { staffRoles } from '#contract/console/row.ts'
import { now } from '#database/clock.ts'
import { createEncryption } from '#database/encryption.ts'
import { type ConnectionPool, openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { type TestDatabase, testDatabase } from '#database/testing/database.ts'
import { ensureLocalClinic, type LocalClinic } from './clinic.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'local-clinic-'))
const encryption = createEncryption(['a key of the local clinic'])
let database: TestDatabase
let owner: ConnectionPool
let first: LocalClinic
const open = () =>
  ensureLocalClinic(database.url, { peppers: ['a pepper'], encryption, dataDir: folder })

beforeAll(async () => {
  database = await testDatabase()
  owner = openPool({ url: database.url, size: 2, name: 'test' })
  first = await open()
})
afterAll(async () => {
  await owner.close()
  await database.close()
  rmSync(folder, { recursive: true })
})

test('the integration meets live mode’s requirements, and its clinic granted every scope', async () => {
  const conditions = await owner.use(connection =>
    findLiveConditions(connection, first.live_integration),
  )
  expect(conditions).toMatchObject({ has_grant: true, has_key: true })
  const rows = await owner.use(connection =>
    connection.run(sql`select g.status, g.organization, g.decided_by <> g.requested_by as by_another,
      g.scopes = g.requested_scopes as whole from auth.grants g where g.mode = 'live'`),
  )
  const { live_organization: organization } = first
  expect(rows).toEqual([{ status: 'active', organization, by_another: true, whole: true }])
})

test('each role has one person, who can sign in, and the clinician has licenses', async () => {
  const rows = await owner.use(connection =>
    connection.run<{ email: string; roles: string[]; licenses: number }>(sql`
      select p.email, s.roles, (select count(*)::int from auth.licenses l where l.person = s.person)
             as licenses
        from auth.staff s join auth.persons p on p.id = s.person where s.removed_at is null`),
  )
  expect(rows.map(row => row.roles.join()).sort()).toEqual(staffRoles.toSorted())
  for (const { email, roles, licenses } of rows) {
    expect(licenses > 0).toBe(roles.includes('clinician'))
    const access = first.staff[roles[0] as (typeof staffRoles)[number]]
    expect(access.email).toBe(email)
  }
  const store = openPersonStore({ pool: owner, encryption, now })
  const { email, password } = first.staff.clinician
  expect(await store.findByPassword(email, password)).not.toBeNull()
})

test('a later start reads everything from dev.json, and without the file creates only new secrets', async () => {
  writeFileSync(path.join(folder, 'dev.json'), JSON.stringify(first, null, 2))
  expect(await open()).toEqual(first)
  expect(await owner.use(listKeys)).toHaveLength(1)
  rmSync(path.join(folder, 'dev.json'))
  const after = await open()
  expect(after).toMatchObject({
    live_integration: first.live_integration,
    live_organization: first.live_organization,
  })
  expect(after.live_key).not.toBe(first.live_key)
  expect(after.staff.nurse.password).not.toBe(first.staff.nurse.password)
  const [people] = await owner.use(connection =>
    connection.run<{ count: number }>(sql`select count(*)::int from auth.persons`),
  )
  expect(people?.count).toBe(staffRoles.length + 1)
})
