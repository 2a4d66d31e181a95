// Tests how the database finds and ends access for a person's agents and devices.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { insertAuditRow } from '../oauth/audit.ts'
import { openPeople, type TestPeople, type TestPerson } from '../testing/people.ts'
import { endAccess, findConsent, listAccess } from './access.ts'

let people: TestPeople
beforeAll(async () => void (people = await openPeople()))
afterAll(() => people.close())

type Consent = {
  readonly person: TestPerson
  readonly integration: string
  readonly client: string
  readonly kind?: 'agent' | 'device'
  readonly minutesAgo?: number
}

const host = 'agent.example.com'
let made = 0

/** Adds a token family with an unused token. */
async function consent(given: Consent): Promise<string> {
  const { person, integration, client, kind = 'agent', minutesAgo = 0 } = given
  const id = `fam_${String(++made).padStart(3, '0')}`
  await people.run(sql`
    insert into auth.clients (id, kind, name) values (${client}, 'registered', ${client})
    on conflict do nothing`)
  await people.run(sql`
    insert into auth.token_families
      (id, kind, client, person, integration, mode, scopes, redirect_host, ends_at, created_at)
    values (${id}, ${kind}, ${client}, ${person.id}, ${integration}, 'test', '{patients:read}',
            ${kind === 'agent' ? host : null}, now() + interval '1 day',
            now() - ${minutesAgo}::int * interval '1 minute')`)
  await people.run(sql`
    insert into auth.credentials
      (id, kind, family, client, person, integration, mode, name, scopes, hash, last4, expires_at)
    values (${`tok_of_${id}`}, ${kind}, ${id}, ${client}, ${person.id}, ${integration}, 'test',
            'A token', '{patients:read}', sha256(convert_to(${id}, 'utf8')), 'last',
            now() + interval '1 hour')`)
  return id
}

const use = (family: string) =>
  people.run(sql`update auth.credentials set last_used_at = now() where family = ${family}`)

const standing = async (person: TestPerson) =>
  (
    await people.run<{ id: string }>(sql`
      select id from auth.token_families
       where person = ${person.id} and revoked_at is null order by created_at, id`)
  ).map(({ id }) => id)

/** Ends access. Returns the families in its audit rows, and the result of `endAccess`. */
async function end(person: TestPerson, name: Parameters<typeof endAccess>[2]) {
  const call = { requestId: `req_${++made}`, address: null, agent: null }
  const about = { action: 'auth.end_access', outcome: 'ok', status: 303, code: null } as const
  const ended = await endAccess(people.pool, person.id, name, subjects =>
    insertAuditRow(call, about, subjects),
  )
  const rows = await people.run<{ target: string }>(
    sql`select target from audit.entries where request = ${call.requestId} order by target`,
  )
  return { ended, audited: rows.map(({ target }) => target) }
}

async function openOwner() {
  const person = await people.addPerson()
  return { person, integration: await people.addMember(person) }
}

test('access: each row shows when its own tokens were last used', async () => {
  const { person, integration } = await openOwner()
  const used = await consent({ person, integration, client: 'cli_used', minutesAgo: 2 })
  await consent({ person, integration, client: 'cli_unused', minutesAgo: 1 })
  await use(used)
  const list = await listAccess(people.pool, person.id)
  expect(list.map(one => [one.client, one.last_used_at !== null])).toEqual([
    ['cli_unused', false],
    ['cli_used', true],
  ])
})

test('consent: the latest consent is found, with its integration', async () => {
  const { person, integration } = await openOwner()
  const second = await people.addMember(person)
  const third = await people.addMember(person)
  const client = 'cli_twice'
  await consent({ person, integration, client, minutesAgo: 3 })
  await consent({ person, integration: third, client, minutesAgo: 1 })
  await consent({ person, integration: second, client, minutesAgo: 2 })
  const [row] = await people.run<{ name: string }>(
    sql`select name from auth.integrations where id = ${third}`,
  )
  expect(await findConsent(people.pool, person.id, { client, redirectHost: host })).toMatchObject({
    integration: third,
    integration_name: row?.name ?? '',
  })
})

test('ending access: ends one person’s token families for a client, kind and integration, once', async () => {
  const { person, integration } = await openOwner()
  const other = await people.addMember(person)
  const ben = await people.addPerson()
  await people.addMember(ben, 'developer', integration)
  const asked = { person, integration, client: 'cli_ended' }
  const own = [await consent(asked), await consent(asked)]
  const stays = [
    await consent({ ...asked, client: 'cli_other' }),
    await consent({ ...asked, kind: 'device' }),
    await consent({ ...asked, integration: other }),
  ]
  const ofBen = await consent({ ...asked, person: ben })
  const name = { client: 'cli_ended', integration, kind: 'agent' } as const
  expect(await end(person, name)).toEqual({ ended: true, audited: own })
  expect((await standing(person)).toSorted()).toEqual(stays.toSorted())
  expect(await standing(ben)).toEqual([ofBen])
  // The second call changes neither the end time nor the reason.
  expect(await end(person, name)).toEqual({ ended: false, audited: [] })
})
