import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createEncryption } from '#database/encryption.ts'
import { openPool, type ConnectionPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { openPeople, type TestPeople } from '../testing/people.ts'
import { withSlow } from '../testing/slow-writes.ts'
import { ensureLocalOwner } from './local-owner.ts'
import { ensureLocalPerson, type LocalAccess } from './local-person.ts'
import { openPersonStore } from './person-store.ts'
import { codeAt } from './totp.ts'

// Hashing real passwords takes a while on a busy machine.
setDefaultTimeout(120_000)

let people: TestPeople
let owner: ConnectionPool
let integration: string
beforeAll(async () => {
  people = await openPeople()
  owner = openPool({ url: people.database.url, size: 1, name: 'owner' })
  integration = await people.addMember(await people.addPerson())
})
afterAll(async () => {
  await owner.close()
  await people.close()
})

const ensure = (stored: LocalAccess | null, encryption = people.encryption) =>
  owner.use(connection => ensureLocalOwner(connection, encryption, { integration, stored }))

async function signsIn({ email, password, totp_secret: secret }: LocalAccess): Promise<boolean> {
  const { pool, encryption, clock } = people
  const store = openPersonStore({ pool, encryption, now: () => clock.now })
  const person = await store.findByPassword(email, password)
  clock.now += 60_000
  return person !== null && store.useCode(person.id, codeAt(secret, clock.now))
}

test('the first start creates an owner who can sign in, and later ones keep them', async () => {
  const first = await ensure(null)
  expect(first.email).toBe('owner@example.com')
  // 120 random bits.
  expect(first.password).toMatch(/^[\w-]{20}$/)
  expect(await signsIn(first)).toBe(true)
  expect(await ensure(first)).toBe(first)
  const rows = await people.run(sql`
    select m.role from auth.members m join auth.persons p on p.id = m.person
     where p.email = ${first.email} and m.integration = ${integration}`)
  expect([...rows]).toEqual([{ role: 'owner' }])
})

test('without the file, or with another database’s file, the same person gets new factors', async () => {
  const before = await ensure(null)
  const after = await ensure(null)
  expect(after.password).not.toBe(before.password)
  expect(await signsIn(before)).toBe(false)
  expect(await signsIn(after)).toBe(true)
  const foreign = { ...after, totp_secret: before.totp_secret }
  expect(await signsIn(await ensure(foreign))).toBe(true)
  const rows = await people.run(sql`select id from auth.persons where email = ${before.email}`)
  expect(rows).toHaveLength(1)
})

test('with other encryption keys, a new secret is created', async () => {
  const before = await ensure(null)
  const other = createEncryption(['another key'])
  expect(await ensure(before, other)).not.toEqual(before)
})

test('an owner who lost the role, was removed or was disabled is restored', async () => {
  const first = await ensure(null)
  const ofOwner = sql`(select id from auth.persons where email = ${first.email})`
  for (const change of [
    sql`update auth.members set role = 'viewer' where person = ${ofOwner}`,
    sql`update auth.members set removed_at = now() where person = ${ofOwner}`,
    sql`update auth.persons set disabled_at = now() where id = ${ofOwner}`,
  ]) {
    await people.run(change)
    expect(await signsIn(await ensure(first))).toBe(true)
    const rows = await people.run(sql`
      select role, removed_at from auth.members where person = ${ofOwner}`)
    expect([...rows]).toEqual([{ role: 'owner', removed_at: null }])
  }
})

test('the owner is stored before the start continues', async () => {
  await people.run(
    sql`delete from auth.members where role = 'owner' and integration = ${integration}`,
  )
  const rows = await withSlow(people, 'members', async () => {
    const { email } = await ensure(null)
    return people.run(sql`
      select m.role from auth.members m join auth.persons p on p.id = m.person
       where p.email = ${email}`)
  })
  expect([...rows]).toEqual([{ role: 'owner' }])
  const wanted = { email: 'other@example.com', name: 'Other', stored: null }
  const isStored = await withSlow(people, 'factors', async () => {
    const { access } = await owner.use(connection =>
      ensureLocalPerson(connection, people.encryption, wanted),
    )
    return signsIn(access)
  })
  expect(isStored).toBe(true)
})
