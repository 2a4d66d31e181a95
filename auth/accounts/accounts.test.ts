import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { openPeople, password, type TestPeople, peppers } from '../testing/people.ts'
import { openFailedAttempts } from './failed-attempts.ts'
import { hashPassword } from './password-hashing.ts'
import { openPersonStore, type PersonStore } from './person-store.ts'
import { openSessions, type Sessions } from './sessions.ts'
import { sweep } from '../oauth/sweep.ts'

let people: TestPeople
let store: PersonStore
let sessions: Sessions
beforeAll(async () => {
  people = await openPeople()
  const { pool, encryption, clock } = people
  store = openPersonStore({ pool, encryption, now: () => clock.now })
  sessions = openSessions(pool, peppers)
})
afterAll(() => people.close())

describe('passwords', () => {
  test('the right password finds the person, regardless of the email’s case', async () => {
    const ada = await people.addPerson()
    const found = await store.findByPassword(ada.email.toUpperCase(), password)
    expect(found).toEqual({ id: ada.id, email: ada.email, name: 'Ada' })
  })

  test('nobody is found for a wrong password, an unknown email or a disabled person', async () => {
    const ada = await people.addPerson()
    expect(await store.findByPassword(ada.email, 'wrong')).toBeNull()
    expect(await store.findByPassword('unknown@example.com', password)).toBeNull()
    await people.run(sql`update auth.persons set disabled_at = now() where id = ${ada.id}`)
    expect(await store.findByPassword(ada.email, password)).toBeNull()
  })

  test('an unknown email takes as much work as a wrong password', async () => {
    const ada = await people.addPerson()
    await people.run(sql`
      update auth.person_factors set password_hash = ${await hashPassword(password, 'test')}
       where person = ${ada.id}`)
    // Nearly all the work is verifying a password, and a hash's header states its cost.
    const verify = spyOn(Bun.password, 'verify')
    const costsOf = async (email: string) => {
      verify.mockClear()
      await store.findByPassword(email, 'wrong')
      return verify.mock.calls.map(([, hash]) => String(hash).split('$').slice(0, 4))
    }
    try {
      const known = await costsOf(ada.email)
      expect(known).toEqual([['', 'argon2id', 'v=19', expect.stringMatching(/^m=65536,t=\d,p=1$/)]])
      expect(await costsOf('unknown@example.com')).toEqual(known)
    } finally {
      verify.mockRestore()
    }
  })
})

describe('codes', () => {
  test('a code works once, and an earlier one never works after a later one', async () => {
    const ada = await people.addPerson()
    const { clock } = people
    const earlier = clock.nextCode(ada)
    const code = clock.nextCode(ada)
    expect(await store.useCode(ada.id, code)).toBe(true)
    expect(await store.useCode(ada.id, code)).toBe(false)
    clock.now -= 60_000
    expect(await store.useCode(ada.id, earlier)).toBe(false)
    expect(await store.useCode(ada.id, clock.nextCode(ada))).toBe(false)
    expect(await store.useCode(ada.id, clock.nextCode(ada))).toBe(true)
  })

  test('one of twenty simultaneous requests with one code is accepted', async () => {
    const ada = await people.addPerson()
    const code = people.clock.nextCode(ada)
    const all = await Promise.all(Array.from({ length: 20 }, () => store.useCode(ada.id, code)))
    expect(all.filter(Boolean)).toHaveLength(1)
  })

  test('another person’s secret doesn’t decrypt in this person’s row', async () => {
    const [ada, ben] = [await people.addPerson(), await people.addPerson()]
    await people.run(sql`
      update auth.person_factors set totp_secret =
        (select totp_secret from auth.person_factors where person = ${ben.id})
       where person = ${ada.id}`)
    expect(await store.useCode(ada.id, people.clock.nextCode(ben))).toBe(false)
  })

  test('a person without an authenticator app has no second factor', async () => {
    const ada = await people.addPerson(false)
    expect(await store.hasSecondFactor(ada.id)).toBe(false)
    expect(await store.useCode(ada.id, '000000')).toBe(false)
  })
})

describe('sessions', () => {
  const age = (id: string, column: 'created_at' | 'expires_at', hours: number) =>
    people.run(sql`
      update auth.credentials
         set created_at = created_at - case when ${column} = 'created_at' then ${hours} else 0 end * interval '1 hour',
             last_used_at = last_used_at - case when ${column} = 'created_at' then ${hours} else 0 end * interval '1 hour',
             expires_at = expires_at - case when ${column} = 'expires_at' then ${hours} else 0 end * interval '1 hour'
       where id = ${id}`)

  test('a session is found by its token, and stored only as an HMAC', async () => {
    const ada = await people.addPerson()
    const { id, token } = await sessions.begin(ada.id, null)
    expect(await sessions.find(token)).toEqual({
      id,
      person: { id: ada.id, email: ada.email, name: 'Ada' },
      secondFactorSeconds: null,
    })
    const [row] = await people.run<{ row: string }>(
      sql`select to_jsonb(k)::text as row from auth.credentials k where id = ${id}`,
    )
    expect(row?.row).not.toContain(token)
    expect(await sessions.find('x'.repeat(43))).toBeNull()
    expect(await sessions.find("' or true --")).toBeNull()
  })

  test('a session ends after 12 hours, after 8 idle hours, at sign-out, and with its person', async () => {
    const ada = await people.addPerson()
    const open = () => sessions.begin(ada.id, null)
    const [old, idle, out, last] = [await open(), await open(), await open(), await open()]
    await age(old.id, 'expires_at', 11.9)
    expect(await sessions.find(old.token)).not.toBeNull()
    await age(old.id, 'expires_at', 0.2)
    expect(await sessions.find(old.token)).toBeNull()
    await age(idle.id, 'created_at', 7.9)
    expect(await sessions.find(idle.token)).not.toBeNull()
    await age(idle.id, 'created_at', 7.9)
    expect(await sessions.find(idle.token)).not.toBeNull()
    await age(idle.id, 'created_at', 8.1)
    expect(await sessions.find(idle.token)).toBeNull()
    await sessions.end(out.token)
    expect(await sessions.find(out.token)).toBeNull()
    await people.run(sql`update auth.persons set disabled_at = now() where id = ${ada.id}`)
    expect(await sessions.find(last.token)).toBeNull()
  })

  test('a second factor gives the session a new ID once, and doesn’t extend it', async () => {
    const ada = await people.addPerson()
    const first = await sessions.begin(ada.id, null)
    await age(first.id, 'expires_at', 5)
    const all = await Promise.all(
      Array.from({ length: 8 }, () => sessions.proveSecondFactor(first.token)),
    )
    const [renewed, ...others] = all.filter(one => one !== null)
    expect(others).toEqual([])
    expect(await sessions.find(first.token)).toBeNull()
    expect((await sessions.find(renewed?.token ?? ''))?.secondFactorSeconds).toBeLessThan(60)
    const [row] = await people.run<{ hours: number }>(sql`
      select extract(epoch from expires_at - now())::float8 / 3600 as hours
        from auth.credentials where id = ${renewed?.id ?? ''}`)
    expect(row?.hours).toBeCloseTo(7, 1)
    await sessions.forgetSecondFactor(renewed?.id ?? '')
    expect((await sessions.find(renewed?.token ?? ''))?.secondFactorSeconds).toBeNull()
  })

  test('signing in ends the browser’s previous session', async () => {
    const ada = await people.addPerson()
    const first = await sessions.begin(ada.id, null)
    const second = await sessions.begin(ada.id, first.token)
    expect(await sessions.find(first.token)).toBeNull()
    expect(await sessions.find(second.token)).not.toBeNull()
  })
})

describe('failed attempts', () => {
  const open = () =>
    openFailedAttempts(people.pool, text => new Bun.CryptoHasher('sha256').update(text).digest())
  const past = (seconds: number) =>
    people.run(sql`
      update auth.failed_attempts
         set first_at = first_at - ${seconds}::int * interval '1 second',
             last_at = last_at - ${seconds}::int * interval '1 second',
             blocked_until = blocked_until - ${seconds}::int * interval '1 second'`)

  test('five attempts don’t wait; then each wait doubles, up to 15 minutes', async () => {
    const attempts = open()
    const begin = () => attempts.begin('sign_in', 'ada from a network')
    for (let count = 0; count < 5; count++) expect(await begin()).toBe(0)
    const waits: number[] = []
    for (let count = 0; count < 12; count++) {
      const seconds = await begin()
      waits.push(seconds)
      await past(seconds)
      expect(await begin()).toBe(0)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
    expect(await attempts.begin('sign_in', 'ada from another network')).toBe(0)
    expect(await attempts.begin('sign_in', 'ben from a network')).toBe(0)
  })

  test('an attempt that has to wait is not counted, and a day without attempts resets the count', async () => {
    const attempts = open()
    const begin = () => attempts.begin('sign_in', 'cleo')
    for (let count = 0; count < 5; count++) await begin()
    for (let count = 0; count < 9; count++) expect(await begin()).toBe(1)
    await past(86_401)
    for (let count = 0; count < 5; count++) expect(await begin()).toBe(0)
    expect(await begin()).toBe(1)
  })

  test('five of thirty simultaneous attempts are admitted', async () => {
    const attempts = open()
    const all = await Promise.all(
      Array.from({ length: 30 }, () => attempts.begin('sign_in', 'dan')),
    )
    expect(all.filter(seconds => seconds === 0)).toHaveLength(5)
  })

  test("a success clears the person's failures", async () => {
    const attempts = open()
    for (let count = 0; count < 4; count++) await attempts.begin('sign_in', 'eve')
    await attempts.succeeded('sign_in', 'eve', true)
    for (let count = 0; count < 5; count++) expect(await attempts.begin('sign_in', 'eve')).toBe(0)
  })

  test('attempts are swept a day after the last one, not earlier', async () => {
    await people.run(sql`delete from auth.failed_attempts`)
    const attempts = open()
    await attempts.begin('sign_in', 'fay')
    await attempts.begin('sign_in', 'gus')
    await past(86_000)
    await attempts.begin('sign_in', 'gus')
    expect((await sweep(people.pool)).failedAttempts).toBe(0)
    await past(500)
    expect((await sweep(people.pool)).failedAttempts).toBe(1)
  })

  test('ended links, invitations and challenges are swept; current ones are not', async () => {
    const ada = await people.addPerson()
    const integration = await people.addMember(ada)
    for (const [at, days] of ([6, 8, 89, 91] as const).entries()) {
      const ended = sql`now() - ${days}::int * interval '1 day'`
      await people.run(sql`
        insert into auth.sign_ups (id, email, name, company, expires_at)
        values (${`sup_${at}`}, 'ada@example.com', 'Ada', 'Ada Health', ${ended})`)
      await people.run(sql`
        insert into auth.recoveries (id, person, expires_at)
        values (${`rcv_${at}`}, ${ada.id}, ${ended})`)
      await people.run(sql`
        insert into auth.invitations (id, integration, email, role, expires_at)
        values (${`invt_${at}`}, ${integration}, ${`${at}@example.com`}, 'viewer', ${ended})`)
    }
    await people.run(sql`
      insert into auth.used_challenges (hash, expires_at)
      values (sha256('1'), now() - interval '1 second'), (sha256('2'), now() + interval '1 minute')`)
    expect(await sweep(people.pool)).toMatchObject({
      signUps: 3,
      recoveries: 1,
      invitations: 1,
      challenges: 1,
    })
    expect(await sweep(people.pool)).toMatchObject({ signUps: 0, recoveries: 0, challenges: 0 })
  })

  test('a full window stays full until it ends', async () => {
    const attempts = open()
    for (let count = 1; count <= 5; count++) {
      expect(await attempts.fullSeconds('device_code', 'session')).toBe(0)
      expect(await attempts.count('device_code', 'session')).toBe(count)
    }
    const seconds = await attempts.fullSeconds('device_code', 'session')
    expect(seconds).toBeGreaterThan(590)
    expect(seconds).toBeLessThanOrEqual(600)
    await past(601)
    expect(await attempts.fullSeconds('device_code', 'session')).toBe(0)
    expect(await attempts.count('device_code', 'session')).toBe(1)
  })
})
