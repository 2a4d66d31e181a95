import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { forEachRole, givePassword, openRoles, roleUrls, verifierOf } from './roles.ts'
import { type TestDatabase, testDatabase } from './testing/database.ts'

const passwords = { ...forEachRole(() => "a'b\\c d%$1"), live: 'ü ?&/@:#' }

describe('role address', () => {
  test('keeps host, database and options, and survives any password', () => {
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
  test('equals what PostgreSQL computes from the same salt', () => {
    // The password and the salt of RFC 7677, section 3.
    const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64')
    expect(verifierOf('pencil', salt)).toBe(
      'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
    )
  })
})

describe('roles', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await testDatabase()
  })
  afterAll(() => database.close())

  /** The roles of the test server belong to every test of this run, so their passwords must stay.
   *  */
  test('keep their password when they can log in with it, also in several starts at once', async () => {
    const password = decodeURIComponent(new URL(database.urls.test).password)
    const theirs = forEachRole(() => password)
    const opened = await Promise.all(
      Array.from({ length: 4 }, () => openRoles(database.url, theirs)),
    )
    for (const urls of opened) {
      await using sql = new SQL(urls.live, { max: 1 })
      const [row] = await sql`select current_user as me`
      expect(row.me).toBe('app_live')
    }
  })

  test('get a password from several starts at once', async () => {
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
      await using sql = new SQL(url.href, { max: 1 })
      const [row] = await sql`select current_user as me`
      expect(row.me).toBe(role)
    } finally {
      await owner.unsafe(`drop role ${role}`)
    }
  })
})
