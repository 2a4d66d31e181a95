// What the commands of an operator list, word by word.

import { describe, expect, test } from 'bun:test'
import { allScopes } from '#contract/scopes.ts'
import { sql } from '#database/sql.ts'
import { newId } from './ids.ts'
import { keysCommand } from './keys-command.ts'
import { pepper } from './testing/database.ts'
import { operatorTime, useOperator } from './testing/operator.ts'
import { issueToken } from './testing/tokens.ts'

const { owner, run, integration, keys, clients } = await useOperator()

describe('keys list', () => {
  const add = (state: ReturnType<typeof sql>, mode = 'test') => {
    const id = newId('key')
    return run(sql`
      insert into auth.credentials (id, integration, mode, name, scopes, hash, last4, pepper,
                                    revoked_at, expires_at, replaced_by, last_used_at)
      select ${id}, ${integration}, ${mode}, 'Nightly', ${allScopes}::text[],
             sha256(${id}::text::bytea), 'wxyz', null, made.*
        from (select ${state}) as made`).then(() => id)
  }
  const moment = (text: string) => sql`${text}::timestamptz`
  const none = sql`null::timestamptz`
  const noOther = sql`null::text`

  test.each([
    ['active  never used', sql`${none}, ${none}, ${noOther}, ${none}`],
    [
      'active  used 2026-11-19T08:07Z',
      sql`${none}, ${none}, ${noOther}, ${moment('2026-11-19T08:07:06Z')}`,
    ],
    [
      'revoked 2026-11-18  never used',
      sql`${moment('2026-11-18T09:00:00Z')}, ${none}, ${noOther}, ${none}`,
    ],
    [
      'active until 2026-11-21  never used',
      sql`${none}, ${moment('2026-11-21T09:00:00Z')}, ${noOther}, ${none}`,
    ],
    // At this very moment.
    [
      'expired 2026-11-20  never used',
      sql`${none}, ${moment('2026-11-20T00:00:00Z')}, ${noOther}, ${none}`,
    ],
    [
      'retires 2026-11-20T09:08Z  never used',
      sql`${none}, ${moment('2026-11-20T09:08:07Z')}, 'key_x'::text, ${none}`,
    ],
    [
      'retired 2026-11-20  never used',
      sql`${none}, ${moment('2026-11-20T00:00:00Z')}, 'key_x'::text, ${none}`,
    ],
  ])('shows a key that is %s', async (state, row) => {
    const id = await add(row)
    expect(await keys(['list'])).toBe(
      `${id}  svc_sk_test_…wxyz  ${state}  ${integration}  all scopes  Nightly`,
    )
  })

  test('shows the scopes of a key that lacks some, and no token', async () => {
    const id = await add(sql`${none}, ${none}, ${noOther}, ${none}`, 'live')
    await run(sql`update auth.credentials set scopes = '{patients:read,events:read}'`)
    await owner.use(one => issueToken(one, pepper, { integration }))
    expect(await keys(['list'])).toBe(
      `${id}  svc_sk_live_…wxyz  active  never used  ${integration}  patients:read,events:read  Nightly`,
    )
  })

  test('names what is lost besides what is older, and what is in order', async () => {
    const list = (...peppers: [string, ...string[]]) =>
      owner.use(connection => keysCommand(['list'], { connection, peppers, now: operatorTime }))
    await add(sql`${none}, ${none}, ${noOther}, ${none}`)
    const lines = async (...peppers: [string, ...string[]]) =>
      (await list(...peppers)).split('\n\n').slice(1)
    expect(await lines(pepper)).toEqual([])
    expect(await lines('new', pepper)).toEqual([
      '1 credential is still under an older pepper, until used again.',
    ])
    await add(sql`${none}, ${none}, ${noOther}, ${none}`)
    expect(await lines('new', pepper)).toEqual([
      '2 credentials are still under an older pepper, until used again.',
    ])
    await run(sql`update auth.credentials set pepper = 'unknown0'`)
    expect(await lines('new', pepper)).toEqual([
      'Every credential is under the newest pepper: the older can be removed from KEY_PEPPER.',
      '2 credentials are under a pepper that is not in KEY_PEPPER, and cannot be used.',
    ])
  })
})

describe('clients list', () => {
  const add = async (name: string) =>
    /cli_\w+/.exec(await clients(['create', '--name', name]))?.[0] ?? ''
  const secretsOf = async (client: string) =>
    (
      await run(sql`
        select id, last4 from auth.client_secrets where client = ${client} order by id`)
    ).map(({ id, last4 }) => `${String(id)} …${String(last4)}`)

  test('shows each client with the secrets that count, and none that registered itself', async () => {
    const [one, other] = [await add('One'), await add('Other')]
    await clients(['add-secret', one])
    await owner.use(connection => issueToken(connection, pepper, { integration, kind: 'agent' }))
    await run(sql`
      update auth.clients set revoked_at = '2026-11-18T09:00Z', scopes = '{patients:read}',
             last_token_at = '2026-11-17T08:07:06Z' where id = ${other}`)
    const [both, [only]] = [await secretsOf(one), await secretsOf(other)]
    const of = `${integration}  all scopes  One`
    const lines = async () => (await clients(['list'])).split('\n')
    expect(await lines()).toEqual([
      `${one}  test  active  no token yet  ${both.join(', ')}  ${of}`,
      `${other}  test  revoked 2026-11-18  last token 2026-11-17T08:07Z  ${only}  ${integration}  patients:read  Other`,
    ])
    const end = (expires: ReturnType<typeof sql>, client = one) =>
      run(sql`update auth.client_secrets set expires_at = ${expires} where client = ${client}`)
    await end(sql`now() + interval '1 hour'`)
    expect((await lines())[0]).toContain(both.join(', '))
    await end(sql`now() - interval '1 second'`)
    expect((await lines())[0]).toBe(`${one}  test  active  no token yet  no secret  ${of}`)
  })

  test('and list of keys show a thousand', async () => {
    await run(sql`
      insert into auth.clients (id, kind, integration, mode, scopes, name)
      select 'cli_' || lpad(n::text, 26, '0'), 'confidential', ${integration}, 'test', '{}', 'x'
        from generate_series(1, 1001) n`)
    await run(sql`
      insert into auth.credentials (id, integration, mode, name, scopes, hash, last4)
      select 'key_' || lpad(n::text, 26, '0'), ${integration}, 'test', 'k', '{}',
             sha256(n::text::bytea), 'abcd' from generate_series(1, 1001) n`)
    expect((await clients(['list'])).split('\n')).toHaveLength(1000)
    expect((await keys(['list'])).split('\n\n')[0]?.split('\n')).toHaveLength(1000)
  })
})
