import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { allScopes } from '#contract/scopes.ts'
import { sql } from '#database/sql.ts'
import { type ConnectionPool, openPool } from '#database/pool.ts'
import { type TestDatabase, testDatabase } from '#database/testing/database.ts'
import { grant, listKeys, openIntegration, openOrganization } from './integrations.ts'
import { acceptAgreement } from './testing/administration.ts'
import { keysCommand } from './keys-command.ts'
import { CommandFault } from './operator.ts'
import { authenticateWithCache } from './testing/authenticate.ts'

let database: TestDatabase
let owner: ConnectionPool
beforeAll(async () => {
  database = await testDatabase()
  owner = openPool({ url: database.url, size: 1, name: 'keys', path: 'test, public' })
})
afterAll(async () => {
  await owner.close()
  await database.close()
})

const pepper = 'a pepper'
const now = Date.parse('2026-11-20T00:00:00Z')
/** A day that's in the future whenever this runs, because the database uses today's date. */
const later = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10)
const run = (...args: string[]) =>
  owner.use(connection => keysCommand(args, { connection, peppers: [pepper], now }))
const find = (key: string) =>
  owner.use(connection =>
    authenticateWithCache(connection, pepper, { token: key, mode: 'test', organization: null }),
  )

describe('npm run admin -- keys', () => {
  test('keys create requires an integration', async () => {
    await expect(run('create', '--name', 'x')).rejects.toThrow('No active integrations.')
    expect(await run('list')).toContain('No keys yet')
  })
  test('keys create prints a working key, list shows only its last four characters, revoke ends it', async () => {
    await owner.use(connection => openIntegration(connection, "Ada's brand"))
    const output = await run('create', '--name', 'Nightly', '--scopes', 'events:read,patients:read')
    const key = output.split('\n')[0] ?? ''
    const found = await find(key)
    expect(found?.scopes).toEqual(['patients:read', 'events:read'])
    const listed = await run('list')
    expect(listed).not.toContain(key)
    expect(listed).toContain(`…${key.slice(-4)}`)
    expect(listed).toContain('Nightly')
    expect(listed).toMatch(/ {2}used \d{4}-\d\d-\d\dT\d\d:\d\dZ {2}/)
    const [row] = await owner.use(listKeys)
    expect(await run('revoke', row?.id ?? '')).toContain('Revoked')
    expect(await find(key)).toBeNull()
    expect(await run('list')).toContain('revoked')
    await expect(run('revoke', row?.id ?? '')).rejects.toThrow(CommandFault)
  })
  test('keys rotate prints a successor, and the old key works until the overlap ends', async () => {
    const [old = ''] = (await run('create', '--name', 'Rotated', '--scopes', 'events:read')).split(
      '\n',
    )
    const rows = await owner.use(listKeys)
    const id = rows.findLast(({ name }) => name === 'Rotated')?.id ?? ''
    const output = await run('rotate', id, '--overlap', '7d')
    const [key = ''] = output.split('\n')
    expect(output).toContain(`${id} works for 7d more.`)
    expect((await find(key))?.scopes).toEqual(['events:read'])
    expect(await find(old)).not.toBeNull()
    expect(await run('list')).toMatch(
      new RegExp(`${id}.*replaced, until \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\dZ `),
    )
    await expect(run('rotate', id)).rejects.toThrow('already rotated')
    await expect(run('rotate', id, '--overlap', '2h')).rejects.toThrow('must be one of now, 1h')
    await expect(run('rotate', 'key_none')).rejects.toThrow('No active key')
    const successor = (await owner.use(listKeys)).find(row => row.id === id)?.replaced_by ?? ''
    expect(await run('rotate', successor, '--overlap', 'now')).toContain('no longer works')
    expect(await find(key)).toBeNull()
  })
  test('keys create defaults to all scopes, test mode and no expiry', async () => {
    await run('create', '--name', 'whole')
    const live = ['create', '--name', 'short', '--mode', 'live', '--expires', later]
    await expect(run(...live)).rejects.toThrow('needs a business associate agreement')
    const [key] = await owner.use(listKeys)
    const integration = key?.integration ?? ''
    await owner.use(connection => acceptAgreement(connection, integration, '2026-09-01'))
    await expect(run(...live)).rejects.toThrow('needs a live grant')
    const organization = await owner.use(connection =>
      openOrganization(connection, 'Clinic', 'a-clinic'),
    )
    await owner.use(connection => grant(connection, { integration, organization, mode: 'live' }))
    await run(...live)
    await owner.use(connection => connection.run(sql`delete from auth.agreements`))
    const keys = await owner.use(listKeys)
    expect(keys.find(({ name }) => name === 'whole')).toMatchObject({
      mode: 'test',
      scopes: allScopes,
      expires_at: null,
    })
    expect(keys.find(({ name }) => name === 'short')).toMatchObject({
      mode: 'live',
      expires_at: `${later}T00:00:00.000Z`,
    })
    expect(await run('list')).toContain(`active until ${later}`)
  })
  const wrong: [args: string[], says: string][] = [
    [[], 'Name a command.'],
    [['frobnicate'], `"frobnicate" doesn't match any usage`],
    [['create'], '--name'],
    [['create', '--name', 'x', '--mode', 'prod'], '--mode must be test or live'],
    [['create', '--name', 'x', '--scopes', 'all'], '--scopes must not contain "all"'],
    [['create', '--name', 'x', '--scopes', ''], '--scopes must name at least one scope'],
    [['create', '--name', 'x', '--expires', 'soon'], '--expires must be a date'],
    [['create', '--name', 'x', '--expires', '2027-02-31'], '--expires must be a date'],
    [['create', '--name', 'x', '--expires', '2020-01-01'], 'must be in the future'],
    [['create', '--name', 'x', '--integration', 'int_x'], 'No active integration has the ID int_x'],
    [['create', '--nme', 'x'], "Unknown option '--nme'"],
    [['revoke'], `"revoke" doesn't match any usage`],
    [['agreement', 'newest'], "must be the agreement's date"],
  ]
  test.each(wrong)('%p is refused with a one-sentence message', async (args, says) => {
    await expect(run(...args)).rejects.toThrow(says)
  })
  test('keys create requires --integration when there are several', async () => {
    const { integration } = await owner.use(connection =>
      openIntegration(connection, "Ben's brand"),
    )
    await expect(run('create', '--name', 'x')).rejects.toThrow("Ben's brand")
    expect(await run('create', '--name', 'x', '--integration', integration)).toContain(
      'svc_sk_test_',
    )
    const suspend = (at: string | null) =>
      owner.use(connection =>
        connection.run(
          sql`update auth.integrations set suspended_at = ${at} where id = ${integration}`,
        ),
      )
    await suspend('2026-11-01T00:00:00Z')
    expect(await run('create', '--name', 'x')).toContain('svc_sk_test_')
    await suspend(null)
  })
})

test('keys list shows every key', async () => {
  await owner.use(connection =>
    connection.run(sql`
      insert into auth.credentials (id, kind, integration, mode, name, scopes, hash, last4)
      select id, 'key', (select min(id) from auth.integrations), 'test', 'k', '{}',
             sha256(id::bytea), 'abcd'
        from (select 'key_0' || lpad(n::text, 25, '0') as id from generate_series(1, 1001) n) made`),
  )
  expect((await run('list')).match(/^key_0{5}\d+ /gm)).toHaveLength(1001)
})

describe('another integration', () => {
  test('keys open creates an integration with a working key', async () => {
    const output = await run('open', '--name', 'Another brand')
    const [key = ''] = output.split('\n')
    const found = await find(key)
    expect([found?.mode, found?.scopes, found?.organizations.length]).toEqual([
      'test',
      allScopes,
      1,
    ])
    await expect(run('open', '--name', ' ')).rejects.toThrow('Give the integration a --name')
    await owner.use(connection =>
      connection.run(
        sql`update auth.credentials set revoked_at = now() where id = ${found?.id ?? ''}`,
      ),
    )
  })
  test('keys agreement ends older agreements in thirty days, and lists their integrations', async () => {
    const { integration } = await owner.use(connection =>
      openIntegration(connection, 'A live brand'),
    )
    await owner.use(connection => acceptAgreement(connection, integration, '2026-09-01'))
    expect(await run('agreement', '2027-01-01')).toBe(
      `These integrations have 30 days to accept 2027-01-01:\n  ${integration}`,
    )
    expect(await run('agreement', '2027-01-01')).toContain(
      'No integration still has an older agreement',
    )
  })
  test('keys developers sets the address for notices about failing webhooks', async () => {
    const { integration } = await owner.use(connection =>
      openIntegration(connection, 'A third brand'),
    )
    const flags = ['--integration', integration]
    const named = async () => {
      const [row] = await owner.use(connection =>
        connection.run<{ developers_email: string | null }>(
          sql`select developers_email from auth.integrations where id = ${integration}`,
        ),
      )
      return row?.developers_email
    }
    const output = await run('developers', 'dev@brand.example', ...flags)
    expect(output).toBe(`We email dev@brand.example when ${integration}'s webhooks fail.`)
    expect(await named()).toBe('dev@brand.example')
    expect(await run('developers', 'none', ...flags)).toStartWith('No one is emailed')
    expect(await named()).toBeNull()
    const longest = `${'d'.repeat(240)}@brand.example`
    expect(longest.length).toBe(254)
    expect(await run('developers', longest, ...flags)).toContain(longest)
    for (const wrong of ['dev', 'Dev <dev@brand.example>', `d${longest}`]) {
      await expect(run('developers', wrong, ...flags)).rejects.toThrow('must be an email address')
    }
    await expect(run('developers', 'dev@brand.example')).rejects.toThrow('--integration')
  })
})
