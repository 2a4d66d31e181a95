import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { forEachRole, givePassword, logsIn, openRoles, roleUrls, verifierOf } from './roles.ts'
import { openPool } from './pool.ts'
import { sql } from './sql.ts'
import { type TestDatabase, testDatabase } from './testing/database.ts'

const passwords = { ...forEachRole(() => "a'b\\c d%$1"), live: 'ü ?&/@:#' }

describe('role URL', () => {
  test('keeps host, database and options, with any password', () => {
    const urls = roleUrls('postgres://me:secret@db.example:5433/app?sslmode=require', passwords)
    const url = new URL(urls.live)
    expect([url.host, url.pathname, url.search]).toEqual([
      'db.example:5433',
      '/app',
      '?sslmode=require',
    ])
    expect(decodeURIComponent(url.password)).toBe(passwords.live)
    expect(urls.test).not.toContain('secret')
  })
})

describe('password verifier', () => {
  test('equals PostgreSQL’s verifier for the same salt', () => {
    // The password and salt from RFC 7677, section 3.
    const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64')
    expect(verifierOf('pencil', salt)).toBe(
      'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
    )
  })
})

test('password verifier: has a new 16-byte salt each time', () => {
  const [one, other] = [verifierOf('pencil'), verifierOf('pencil')]
  for (const verifier of [one, other]) {
    expect(verifier).toMatch(/^SCRAM-SHA-256\$4096:[A-Za-z0-9+/]{22}==\$/)
  }
  expect(one).not.toBe(other)
})

describe('roles', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await testDatabase()
  })
  afterAll(() => database.close())

  /** All tests in this run share the test server's roles, so their passwords must not change. */
  test('keep their password if they can log in with it, even in several simultaneous starts', async () => {
    const password = decodeURIComponent(new URL(database.urls.test).password)
    const theirs = forEachRole(() => password)
    const opened = await Promise.all(
      Array.from({ length: 4 }, () => openRoles(database.url, theirs)),
    )
    for (const urls of opened) {
      await using driver = new SQL(urls.live, { max: 1 })
      const [row] = await driver`select current_user as me`
      expect(row.me).toBe('app_live')
    }
  })

  test('keep a password that was set by hand, if the owner may not alter roles', async () => {
    const password = decodeURIComponent(new URL(database.urls.test).password)
    const theirs = forEachRole(() => password)
    const urls = await openRoles(database.urls.test, theirs)
    expect(await logsIn(urls.live)).toBe(true)
    const given = givePassword(database.urls.test, 'app_live', 'another')
    await expect(given).rejects.toThrow(
      'The password of the role app_live could not be set: permission denied',
    )
    expect(await logsIn(urls.live)).toBe(true)
  })

  test('log in only with their own password; an unresponsive server fails', async () => {
    const url = new URL(database.urls.live)
    url.password = 'another'
    expect(await logsIn(url.href)).toBe(false)
    url.port = '1'
    await expect(logsIn(url.href)).rejects.toThrow()
  })

  test('get a password even from several simultaneous starts', async () => {
    const role = `test_role_${process.pid}`
    await using owner = new SQL(database.url, { max: 1 })
    await owner.unsafe(`create role ${role}`)
    try {
      const giving = Array.from({ length: 8 }, () =>
        givePassword(database.url, role, passwords.live),
      )
      await Promise.all(giving)
      const url = new URL(roleUrls(database.url, passwords).live)
      url.username = role
      await using driver = new SQL(url.href, { max: 1 })
      const [row] = await driver`select current_user as me`
      expect(row.me).toBe(role)
    } finally {
      await owner.unsafe(`drop role ${role}`)
    }
  })

  test('a URL with several passwords connects with the role’s current one', async () => {
    const role = `replaced_role_${process.pid}`
    await using owner = new SQL(database.url, { max: 1 })
    await owner.unsafe(`create role ${role}`)
    try {
      const two = { ...passwords, live: ["a 'new' one, #1", "the ol'd one, #2"] }
      const url = new URL(roleUrls(database.url, two).live)
      url.username = role
      const pool = openPool({ url: url.href, size: 1, name: 'replaced' })
      const whoami = () =>
        pool.use(connection => connection.run(sql`select current_user::text as me`))
      const disconnect = () =>
        owner.unsafe(
          `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`,
        )
      for (const password of [two.live[1], two.live[0], two.live[1]]) {
        await givePassword(database.url, role, password ?? '')
        await disconnect()
        // The first call after a loss may still use the lost connection.
        await whoami().catch(() => undefined)
        expect([...(await whoami())]).toEqual([{ me: role }])
      }
      await givePassword(database.url, role, 'another')
      await disconnect()
      await whoami().catch(() => undefined)
      await expect(whoami()).rejects.toThrow('password authentication failed')
      await pool.close()
    } finally {
      await owner.unsafe(`drop role ${role}`)
    }
  })

  test('keep an older password while one from the list is accepted', async () => {
    const password = decodeURIComponent(new URL(database.urls.test).password)
    const urls = await openRoles(
      database.url,
      forEachRole(() => ['not yet', password]),
    )
    const pool = openPool({ url: urls.test, size: 1, name: 'kept' })
    expect(await pool.use(connection => connection.run(sql`select 1 as one`))).toHaveLength(1)
    await pool.close()
  })
})
