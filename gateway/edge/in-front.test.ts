// nginx and Caddy with a certificate, behind another proxy and in front of two gateways, one of
// them restarting.
import { afterAll, describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { now } from '#database/clock.ts'
import { freePort } from '#database/embedded/postmaster.ts'
import { addressReader } from '#http/client-address.ts'
import { openAuthority } from '#http/testing/certificates.ts'
import { until } from '#http/testing/until.ts'
import ipaddr from 'ipaddr.js'
import { caddy, nginx } from '../testing/web-servers.ts'
import { caddyfile } from './caddy.ts'
import type { SiteTable } from './header-table.ts'
import { nginxConfig } from './nginx.ts'

const place = mkdtempSync(path.join(tmpdir(), 'edge-tls-'))
chmodSync(place, 0o755)
mkdirSync(path.join(place, 'tmp'))
const authority = openAuthority(now())
const leaf = authority.sign('localhost')
const tls = { certificate: path.join(place, 'leaf.pem'), key: path.join(place, 'key.pem') }
writeFileSync(tls.certificate, leaf.cert)
writeFileSync(tls.key, leaf.key)
const answer = { file: '/x.html', status: 200, headers: {} }
const table: SiteTable = { rows: [], missing: { html: answer, markdown: answer, problem: answer } }
const gateway = Bun.serve({
  port: 0,
  fetch: ({ headers }) =>
    Response.json(
      { host: headers.get('host'), forwarded: headers.get('x-forwarded-for') },
      { headers: { 'strict-transport-security': 'max-age=63072000' } },
    ),
})
const running: Bun.Subprocess[] = []
afterAll(async () => {
  for (const server of running) server.kill()
  await Promise.all(running.map(server => server.exited))
  await gateway.stop(true)
  rmSync(place, { recursive: true })
})

/** A gateway that isn't running, and a running one. */
const two = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${gateway.port}`]

function write(port: number, gateways: readonly string[] = two): void {
  const shared = { root: place, gateways, tls }
  const files = {
    'nginx.conf': nginxConfig(table, { ...shared, listen: String(port), brotli: false }),
    Caddyfile: caddyfile(table, {
      ...shared,
      listen: `:${port}`,
      proxies: ['127.0.0.1/32', '::1/128'],
    }),
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(place, name), text)
}

const admin = `unix/${path.join(place, 'admin.sock')}`
const env = { HOME: place, XDG_CONFIG_HOME: place, XDG_DATA_HOME: place, CADDY_ADMIN: admin }

function start(program: 'nginx' | 'caddy', port: number): void {
  write(port)
  const commands = {
    nginx: [nginx ?? '', '-p', place, '-c', 'nginx.conf'],
    caddy: [caddy ?? '', 'run', '--config', path.join(place, 'Caddyfile')],
  }
  const command = commands[program]
  const stderr = Bun.file(path.join(place, `${program}.log`))
  running.push(Bun.spawn(command, { env, stdout: 'ignore', stderr }))
}

const mustHaveThem = Bun.env['CI'] === 'true'
const addressOf = addressReader([
  [ipaddr.parse('127.0.0.1'), 32],
  [ipaddr.parse('::1'), 128],
])

describe.each(['nginx', 'caddy'] as const)('edge: %s in front of two gateways', program => {
  const isMissing = (program === 'nginx' ? nginx : caddy) === undefined
  test.skipIf(isMissing && !mustHaveThem)(
    'serves TLS, forwards the port and client address, and uses the running gateway',
    async () => {
      const port = await freePort()
      start(program, port)
      const ask = () =>
        fetch(`https://localhost:${port}/v1/organization`, {
          headers: { 'x-forwarded-for': '198.51.100.7' },
          tls: { ca: authority.cert },
        })
      await until(() =>
        ask().then(
          () => true,
          () => false,
        ),
      )
      for (let asked = 0; asked < 20; asked++) {
        const found = await ask()
        expect(found.status).toBe(200)
        expect(found.headers.get('strict-transport-security')).toBe('max-age=63072000')
        const { host, forwarded } = (await found.json()) as Record<string, string>
        expect(host).toBe(`localhost:${port}`)
        expect(addressOf('127.0.0.1', forwarded ?? null)).toBe('198.51.100.7')
      }
      const missing = await fetch(`https://localhost:${port}/none`, { tls: { ca: authority.cert } })
      expect(missing.headers.get('strict-transport-security')).toBe('max-age=63072000')
    },
    60_000,
  )
})

test.skipIf(caddy === undefined && !mustHaveThem)(
  'edge: Caddy switches gateways on reload',
  async () => {
    const port = await freePort()
    start('caddy', port)
    const ask = () =>
      fetch(`https://localhost:${port}/v1/organization`, { tls: { ca: authority.cert } }).then(
        ({ status }) => status,
        () => 0,
      )
    await until(async () => (await ask()) === 200)
    const reload = (gateways: string[]) => {
      write(port, gateways)
      const command = [caddy ?? '', 'reload', '--config', path.join(place, 'Caddyfile')]
      return Bun.spawnSync(command, { env }).exitCode
    }
    expect([reload(two.slice(0, 1)), await ask()]).toEqual([0, 502])
    expect([reload(two.slice(1)), await ask()]).toEqual([0, 200])
  },
  60_000,
)
