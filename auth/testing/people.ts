// Setup for tests of people and their pages: a database with an integration's member, the pages on
// a port, and a browser without scripts.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEncryption } from '#database/encryption.ts'
import { now, randomBytes } from '#database/clock.ts'
import { openPool, type Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { ownOrigin } from '#http/origins/own-origin.ts'
import { testDatabase } from '#database/testing/database.ts'
import { longWaits } from '#database/testing/long-waits.ts'
import { newId } from '../ids.ts'
import { totpPurpose } from '../accounts/person-store.ts'
import { codeAt, newTotpSecret, stepOfCode } from '../accounts/totp.ts'
import { openIntegration } from '../integrations.ts'
import { openAuthApp } from '../auth-app.ts'
import type { Peppers } from '../pepper.ts'

export const encryptionKeys = ['an encryption key']
export const peppers: Peppers = ['a pepper']
export const password = 'velvet canyon otter lantern'

/** The hash of every person's password, with minimal memory and time. A test signs in many people,
 *  and a real hash would take too long for each. */
let hash: Promise<string> | undefined
const passwordHash = () =>
  (hash ??= Bun.password.hash(password, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 }))

export type TestPerson = { id: string; email: string; secret: string | null }

/** A clock that tests advance, so each code from an authenticator app is new. */
type TestClock = {
  now: number
  nextCode(person: TestPerson): string
  /** A code that isn't currently valid. */
  wrongCode(person: Pick<TestPerson, 'secret'>): string
}

export async function openPeople() {
  const database = await testDatabase()
  const owner = openPool({ url: database.url, size: 2, name: 'owner', settings: longWaits })
  const pool = openPool({ url: database.urls.auth, size: 4, name: 'people', settings: longWaits })
  const run = <R extends Row>(statement: Statement) =>
    owner.use(connection => connection.run<R>(statement))
  const encryption = createEncryption(encryptionKeys)
  const clock: TestClock = {
    now: now(),
    nextCode(person) {
      clock.now += 60_000
      return codeAt(person.secret ?? '', clock.now)
    },
    wrongCode: ({ secret }) =>
      ['000000', '111111', '222222', '333333'].find(
        code => stepOfCode(secret ?? '', code, clock.now) === null,
      ) ?? '',
  }
  let made = 0
  const addPerson = async (hasFactor = true): Promise<TestPerson> => {
    const id = newId('person')
    const email = `person${++made}@example.com`
    const secret = hasFactor ? newTotpSecret(randomBytes) : null
    await run(sql`insert into auth.persons (id, email, name) values (${id}, ${email}, 'Ada')`)
    await run(sql`
      insert into auth.person_factors (person, password_hash, totp_secret)
      values (${id}, ${await passwordHash()},
              ${secret === null ? null : encryption.encrypt(totpPurpose(id), secret)})`)
    return { id, email, secret }
  }
  const addMember = async (person: TestPerson, role = 'owner', integration?: string) => {
    const joined =
      integration ??
      (await owner.use(connection => openIntegration(connection, `Brand ${++made}`))).integration
    await run(sql`
      insert into auth.members (integration, person, role) values (${joined}, ${person.id}, ${role})`)
    return joined
  }
  return {
    database,
    /** The database owner's connection, which no policy restricts. */
    owner,
    pool,
    run,
    encryption,
    clock,
    /** How many sessions wait for a lock. */
    countWaiting: async () =>
      (
        await run(sql`
          select from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`)
      ).length,
    addPerson,
    addMember,
    async close() {
      await Promise.all([owner.close(), pool.close()])
      await database.close()
    },
  }
}

export type TestPeople = Awaited<ReturnType<typeof openPeople>>

/** The origins that accept a session from the pages. */
export const handoffUrls = {
  portal: 'https://portal.example.com',
  console: 'https://console.example.com',
} as const

/** Serves all of AUTH_URL on its own port. The test sets the caller's address, and `emailed` counts
 *  the times the mailer was woken. */
export async function openTestPages(people: TestPeople) {
  const caller = { address: '203.0.113.7' }
  const mailer = { emailed: 0 }
  const failures: unknown[] = []
  const server = createServer((request, response) => {
    const requestId = newId('request')
    app.answer(request, response, { address: caller.address, requestId }).catch(failure => {
      failures.push(failure)
      response.destroy()
    })
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const resources = { api: 'http://localhost:1', mcp: 'http://localhost:2/mcp' }
  const app = openAuthApp({
    url: people.database.urls.auth,
    poolSize: 8,
    issuer: origin,
    resources,
    site: { name: 'Example Health', url: 'https://example.com', email: 'hello@example.com' },
    own: ownOrigin(origin, 'auth'),
    handoffUrls,
    peppers,
    encryptionKeys,
    onError: failure => void failures.push(failure),
    now: () => people.clock.now,
    emailed: () => void mailer.emailed++,
    unknownHash: await passwordHash(),
  })
  return {
    origin,
    resources,
    caller,
    mailer,
    failures,
    async close() {
      server.closeAllConnections()
      server.close()
      await app.close()
    },
  }
}

export type TestPages = Awaited<ReturnType<typeof openTestPages>>
