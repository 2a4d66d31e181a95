import { afterAll, beforeAll, expect, test } from 'bun:test'
import { allScopes } from '#contract/scopes.ts'
import { now } from '#database/clock.ts'
import { sql } from '#database/sql.ts'
import { clientsCommand, clientsHelp } from './clients-command.ts'
import { openIntegration } from './integrations.ts'
import { openAuthDatabase, pepper } from './testing/database.ts'
import { hashToken, isClientSecret } from './tokens.ts'

const context = await openAuthDatabase()
afterAll(() => context.close())
const run = (...args: string[]) =>
  context.owner.use(connection =>
    clientsCommand(args, { connection, peppers: [pepper], now: now() }),
  )

beforeAll(async () => {
  await expect(run('create', '--name', 'x')).rejects.toThrow('No active integrations.')
  await context.owner.use(connection => openIntegration(connection, 'Ada'))
})

const idOf = (output: string) => /cli_\w+/.exec(output)?.[0] ?? ''
const secretOf = (output: string) => /svc_cs_\w+/.exec(output)?.[0] ?? ''
const secretIdOf = (output: string) => /\bcs_\w+/.exec(output.replace(/svc_cs_\w+/g, ''))?.[0] ?? ''

test('clients create shows the secret once, and stores its hash', async () => {
  expect(await run('list')).toContain('No clients yet')
  const output = await run('create', '--name', 'Nightly', '--scopes', 'events:read')
  const secret = secretOf(output)
  expect(isClientSecret(secret)).toBe(true)
  const [row] = await context.run(sql`
    select c.scopes, c.mode, encode(s.hash, 'hex') as hash from auth.clients c
      join auth.client_secrets s on s.client = c.id where c.id = ${idOf(output)}`)
  expect(row).toEqual({
    scopes: ['events:read'],
    mode: 'test',
    hash: hashToken(pepper, secret).toHex(),
  })
  const listed = await run('list')
  expect(listed).not.toContain(secret)
  for (const part of [
    idOf(output),
    secretIdOf(output),
    `…${secret.slice(-4)}`,
    'Nightly',
    'active',
  ])
    expect(listed).toContain(part)
  const [audited] = await context.run(sql`
    select action, actor, surface, outcome from audit.entries where target = ${idOf(output)}`)
  expect(audited).toEqual({
    action: 'createClient',
    actor: 'operator',
    surface: 'cli',
    outcome: 'ok',
  })
})

test('clients add-secret and revoke-secret replace a secret; the maximum is two', async () => {
  const output = await run('create', '--name', 'Replaced')
  const [client, first] = [idOf(output), secretIdOf(output)]
  const second = secretIdOf(await run('add-secret', client))
  await expect(run('add-secret', client)).rejects.toThrow('can have two secrets')
  expect(await run('revoke-secret', first)).toBe(`Revoked ${first}.`)
  await expect(run('revoke-secret', first)).rejects.toThrow(`Nothing active has the ID ${first}`)
  const listed = (await run('list')).split('\n').find(line => line.startsWith(client)) ?? ''
  expect([listed.includes(first), listed.includes(second)]).toEqual([false, true])
  expect(listed).toContain('all scopes')
  expect(isClientSecret(secretOf(await run('add-secret', client)))).toBe(true)
})

test('clients revoke ends a client', async () => {
  const client = idOf(await run('create', '--name', 'Ended'))
  expect(await run('revoke', client)).toBe(`Revoked ${client} and its tokens.`)
  await expect(run('revoke', client)).rejects.toThrow(`Nothing active has the ID ${client}`)
  await expect(run('add-secret', client)).rejects.toThrow('Nothing active has the ID')
  const listed = (await run('list')).split('\n').find(line => line.startsWith(client))
  expect(listed).toContain('revoked')
})

test('clients list shows every client', async () => {
  await context.run(sql`
    insert into auth.clients (id, kind, integration, mode, scopes, name)
    select 'cli_0' || lpad(n::text, 25, '0'), 'confidential', i.id, 'test', '{events:read}', 'c'
      from auth.integrations i, generate_series(1, 1001) n`)
  expect((await run('list')).match(/^cli_0{5}\d+ /gm)).toHaveLength(1001)
})

const wrong: [args: string[], says: string][] = [
  [[], 'Name a command.'],
  [['frobnicate'], `"frobnicate" doesn't match any usage`],
  [['revoke'], `"revoke" doesn't match any usage`],
  [['create'], '--name'],
  [['create', '--name', 'x', '--mode', 'live'], 'needs a business associate agreement'],
  [['create', '--name', 'x', '--mode', 'prod'], '--mode must be test or live'],
  [['create', '--name', 'x', '--scopes', 'all'], '--scopes must not contain "all"'],
  [['create', '--nme', 'x'], "Unknown option '--nme'"],
  [['add-secret', 'cli_x'], 'Nothing active has the ID cli_x'],
]
test.each(wrong)('%p is refused with a one-sentence message', async (args, says) => {
  await expect(run(...args)).rejects.toThrow(says)
})

test('the help lists the twelve scopes', () => {
  for (const scope of allScopes) expect(clientsHelp).toContain(scope)
})
