// An installation with everything that live mode needs, including a PostgreSQL that uses TLS with
// its own CA and archives its WAL.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SMTPServer } from 'smtp-server'
import { grant, issueKey, openIntegration, openOrganization } from '#auth/integrations.ts'
import { openAuthority } from '#http/testing/certificates.ts'
import { now } from '#database/clock.ts'
import { freePort } from '#database/embedded/postmaster.ts'
import { startInstalled } from '#database/testing/installed.ts'
import { openPool } from '#database/pool.ts'
import { openRoles } from '#database/roles.ts'
import { sql, type Statement } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { showCertificate } from './testing/encrypting-postgres.ts'
import { rolePasswords } from '#gateway/settings/credentials.ts'

const root = path.dirname(import.meta.dir)
const folder = mkdtempSync(path.join(tmpdir(), 'live-'))
const secret = 'a secret of thirty-two characters or more'
let postgres: Awaited<ReturnType<typeof startInstalled>>
let settings: Record<string, string>
let keys: { test: string; live: string }
const started: Bun.Subprocess[] = []
const closers: (() => unknown)[] = []
const authority = openAuthority(now())

beforeAll(async () => {
  // As root, we run PostgreSQL under another account, and that account needs its files.
  chmodSync(folder, 0o755)
  const archive = path.join(folder, 'archive')
  mkdirSync(archive)
  chmodSync(archive, 0o777)
  postgres = await startInstalled({
    dir: path.join(folder, 'postgres'),
    password: 'password',
    durable: false,
    watch: false,
    archive,
  })
  const address = await encrypted(postgres.url)
  const services = openServices()
  settings = {
    DATABASE_URL: address,
    BASE_URL: services.https,
    AUTH_URL: 'https://auth.example.com',
    MCP_URL: 'https://mcp.example.com/mcp',
    PORTAL_URL: 'https://portal.example.com',
    CONSOLE_URL: 'https://console.example.com',
    KEY_PEPPER: secret,
    SEAL_KEYS: secret,
    SMTP_URL: services.smtp,
    TRUSTED_PROXIES: '127.0.0.1',
    NODE_EXTRA_CA_CERTS: path.join(folder, 'ca.pem'),
    S3_ENDPOINT: services.https,
    S3_BUCKET: 'documents',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: secret,
    DATA_DIR: path.join(folder, 'data'),
    LOG_FORMAT: 'json',
  }
  await openRoles(address, rolePasswords(secret))
  keys = await keysIn(address)
}, 120_000)
afterAll(async () => {
  for (const each of started) each.kill('SIGKILL')
  await Promise.all(started.map(each => each.exited))
  for (const close of closers) close()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Turns on TLS in PostgreSQL. Returns a URL whose connections verify the server's name. */
async function encrypted(url: string): Promise<string> {
  await showCertificate(url, authority.sign('localhost', -1, 90))
  const ca = path.join(folder, 'ca.pem')
  writeFileSync(ca, authority.cert)
  const address = new URL(url)
  address.hostname = 'localhost'
  address.search = new URLSearchParams({ sslmode: 'verify-full', sslrootcert: ca }).toString()
  return address.href
}

/** Opens a mail server, and a server with a certificate for the bucket and the public URL. */
function openServices() {
  const mail = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'] })
  const listening = mail.listen(0, '127.0.0.1')
  const web = Bun.serve({
    port: 0,
    tls: authority.sign('localhost', -1, 90),
    fetch: () => new Response(null, { status: 404 }),
  })
  closers.push(() => mail.close())
  closers.push(() => web.stop(true))
  const { port } = listening.address() as AddressInfo
  return { smtp: `smtp://127.0.0.1:${port}`, https: `https://localhost:${web.port}` }
}

async function keysIn(url: string) {
  const pool = openPool({ url, size: 1, name: 'live installation' })
  try {
    return await pool.use(async connection => {
      const { integration } = await openIntegration(connection, 'A brand')
      const organization = await openOrganization(connection, 'A clinic', 'a-clinic')
      await grant(connection, { integration, organization, mode: 'live' })
      await connection.run(sql`insert into auth.agreements (id, integration, version)
        values ('baa_01', ${integration}, '2026-01-01')`)
      const issue = async (mode: 'test' | 'live') =>
        (await issueKey(connection, secret, { integration, mode, name: mode })).key
      return { test: await issue('test'), live: await issue('live') }
    })
  } finally {
    await pool.close()
  }
}

function run(program: string, change: Record<string, string>, args: string[] = []) {
  const child = Bun.spawn([process.execPath, path.join(root, 'gateway', program), ...args], {
    cwd: root,
    stdout: 'pipe',
    stderr: 'inherit',
    env: { ...settings, ...change },
  })
  started.push(child)
  return child
}

async function owned(statement: Statement): Promise<void> {
  const pool = openPool({ url: postgres.url, size: 1, name: 'live installation' })
  await pool.use(connection => connection.run(statement)).finally(() => pool.close())
}

async function doctor(change: Record<string, string> = {}) {
  const child = run('commands/admin.ts', change, ['doctor', '--live'])
  const text = await new Response(child.stdout).text()
  return { code: await child.exited, lines: text.trim().split('\n') }
}

type Checks = Record<string, { status: string; output?: string }[]>

async function startGateway(change: Record<string, string>) {
  const port = await freePort()
  const none = { AUTH_PORT: '0', MCP_PORT: '0', PORTAL_PORT: '0', CONSOLE_PORT: '0' }
  const child = run('server/main.ts', { ...none, PORT: String(port), ...change })
  const ask = (at: string, key?: string) =>
    fetch(`http://127.0.0.1:${port}${at}`, {
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    })
  const health = async () =>
    ((await (await ask('/api/health')).json()) as { checks: Checks }).checks
  const isUp = () => ask('/v1').then(Boolean, () => false)
  await until(isUp)
  return { child, ask, health }
}

/** Starts a gateway. Returns its responses to both keys, and its health. */
async function gateway(change: Record<string, string>) {
  const { child, ask, health } = await startGateway(change)
  const [live, own, checks] = await Promise.all([
    ask('/v1/organization', keys.live),
    ask('/v1/organization', keys.test),
    health(),
  ])
  const found = {
    live: { ...((await live.json()) as { code?: string; mode?: string }), status: live.status },
    test: own.status,
    health: checks['live:mode'],
  }
  child.kill('SIGTERM')
  const lines = (await new Response(child.stdout).text()).split('\n')
  return { ...found, log: lines.filter(line => line.includes('"event":"live.')) }
}

const notOk = (lines: string[]) =>
  lines.filter(line => !line.startsWith('ok ')).map(line => line.split(/ +/).slice(0, 2))

test('doctor: how disks are encrypted must be stated, and the statement is kept', async () => {
  expect(notOk((await doctor()).lines)).toContainEqual(['fault', 'encryption'])
  const whole = [
    'encryption',
    '--volume=LUKS2, AES-256',
    '--backups=age in a safe',
    '--by=Mia Chen',
  ]
  expect(await run('commands/admin.ts', {}, whole.slice(0, 2)).exited).not.toBe(0)
  const said = await new Response(run('commands/admin.ts', {}, whole).stdout).text()
  expect(said).toContain('Z  Mia Chen\n')
  await expect(owned(sql`delete from auth.encryption_statements`)).rejects.toThrow()
}, 120_000)

test('doctor: exits 0 with everything live mode needs', async () => {
  expect(await run('commands/admin.ts', {}, ['backup', 'record']).exited).toBe(0)
  const { code, lines } = await doctor()
  expect(lines.filter(line => !line.startsWith('ok '))).toEqual([])
  const said = ['archive_mode', 'mail server', 'bucket', 'clock of the bucket', 'database clock']
  for (const name of [...said, 'public address', 'schema', 'pepper', 'roles', 'backup'])
    expect(lines.filter(line => line.startsWith(`ok       ${name} `))).toHaveLength(1)
  expect(code).toBe(0)
}, 60_000)

test('doctor: names each setting that is missing and how to set it, and exits 1', async () => {
  const plain = settings['DATABASE_URL']?.split('?')[0] ?? ''
  const { code, lines } = await doctor({ DATABASE_URL: plain, SMTP_URL: '', SEAL_KEYS: '' })
  const missing = lines.filter(line => line.startsWith('fault'))
  const names = ['DATABASE_URL', 'SEAL_KEYS', 'SMTP_URL']
  expect(missing.map(line => line.split(/ +/)[1])).toEqual(names)
  expect(missing[0]).toContain('?sslmode=verify-full')
  expect(lines.join('\n')).not.toContain('password@')
  expect(code).toBe(1)
  const child = run('commands/admin.ts', { SMTP_URL: '' }, ['doctor', '--live', '--json'])
  const report = (await new Response(child.stdout).json()) as { ok: boolean; findings: object[] }
  const found = report.findings.find(one => 'status' in one && one.status === 'fault')
  expect([report.ok, found, await child.exited]).toEqual([
    false,
    { name: 'SMTP_URL', status: 'fault', text: expect.stringContaining('must point to') },
    1,
  ])
}, 60_000)

test('doctor: exits 2 for an invalid value, and does not trust a database with another name', async () => {
  const wrong = await doctor({ PORT: 'three thousand', RATE_LIMIT_REQUESTS: '0' })
  expect([wrong.code, notOk(wrong.lines)]).toEqual([
    2,
    [
      ['fault', 'PORT'],
      ['fault', 'RATE_LIMIT_REQUESTS'],
    ],
  ])
  const other = settings['DATABASE_URL']?.replace('@localhost', '@127.0.0.1') ?? ''
  const { code, lines } = await doctor({ DATABASE_URL: other })
  expect(lines.find(line => /^fault +database/.test(line))).toContain('No response')
  expect(code).toBe(1)
}, 60_000)

test('doctor: unresponsive services, an old backup and another pepper are faults', async () => {
  await owned(sql`update public.backups set taken_at = now() - interval '27 hours'`)
  // The digest that a machine with another pepper would record when it starts.
  await owned(sql`insert into public.pepper_digests (digest) values ('that of another pepper')`)
  const nothing = 'redis://127.0.0.1:1'
  const { code, lines } = await doctor({
    SMTP_URL: 'smtp://127.0.0.1:1',
    REDIS_URL: nothing,
    CLAMAV_ADDRESS: '127.0.0.1:1',
    S3_ENDPOINT: 'https://localhost:1',
  })
  await owned(sql`delete from public.pepper_digests`)
  expect(notOk(lines)).toEqual([
    ['fault', 'pepper'],
    ['fault', 'backup'],
    ['fault', 'Redis'],
    ['fault', 'mail'],
    ['fault', 'bucket'],
    ['fault', 'ClamAV'],
  ])
  expect(lines.find(line => /^fault +backup/.test(line))).toContain('27 hours old')
  expect(code).toBe(1)
}, 60_000)

test('a gateway that meets all requirements serves live mode', async () => {
  const { live, test: own, health, log } = await gateway({})
  expect([live.status, live.mode, own]).toEqual([200, 'live', 200])
  expect(health).toEqual([expect.objectContaining({ status: 'pass', observedValue: 'open' })])
  expect(log).toEqual([expect.stringContaining('live.open')])
}, 60_000)

test('a gateway missing one requirement refuses live requests, says so, and serves test mode', async () => {
  const { live, test: own, health, log } = await gateway({ SMTP_URL: '' })
  expect([live.status, live.code, own]).toEqual([503, 'service_unavailable', 200])
  expect(health).toEqual([expect.objectContaining({ status: 'warn', observedValue: 'closed' })])
  expect(log).toEqual([expect.stringContaining('"missing":"SMTP_URL"')])
}, 60_000)

test('the database’s certificate expires: 503 with Retry-After, and health and doctor say why', async () => {
  const { ask, health } = await startGateway({})
  const asked = () => ask('/v1/organization', keys.test)
  expect((await asked()).status).toBe(200)
  await showCertificate(postgres.url, authority.sign('localhost', -3, -1))
  await owned(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid()`)
  await until(async () => (await asked()).status !== 200)
  const refused = await asked()
  expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true])
  const [database] = (await health())['database:responseTime'] ?? []
  expect([database?.status, database?.output?.includes('certificate')]).toEqual(['fail', true])
  const { code, lines } = await doctor()
  const faults = lines.filter(line => /^fault +certificate of DATABASE_URL +Expired/.test(line))
  expect([faults.length, code]).toEqual([1, 1])
}, 60_000)
