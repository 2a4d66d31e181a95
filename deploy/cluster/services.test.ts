// Each node's files. If the program that reads a file is installed, that program also checks the
// file.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parse } from 'yaml'
import { namesOf, openAuthority, writeCertificate } from './certificates.ts'
import type { Secrets } from './files/platform.ts'
import { filesOf, servicesOf } from './services.ts'
import { nodesOf, places, readValues, type Role } from './values.ts'

const values = readValues()
const secrets = new Proxy({} as Secrets, { get: (_, name) => `secret-of-${String(name)}` })
const nodeOf = (role: Role) => {
  const [node] = nodesOf(values, role)
  if (node === undefined) throw new Error(`no node has the role ${role}`)
  return node
}
const fileOf = (role: Role, name: string) =>
  filesOf(values, secrets, nodeOf(role)).find(one => one.name === name)?.text ?? ''

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cluster-'))
  openAuthority(path.join(folder, 'authority'), values)
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A node's configuration in a test folder, with a certificate. */
function written(role: Role): string {
  const at = path.join(folder, role)
  mkdirSync(at, { recursive: true })
  const node = nodeOf(role)
  const tls = path.join(at, 'tls')
  writeCertificate(path.join(folder, 'authority'), tls, node.name, namesOf(values, node))
  for (const { name, text } of filesOf(values, secrets, node)) {
    const local = text
      .replaceAll(places.config, at)
      .replaceAll(/[\w-]+\.cluster\.internal/g, '127.0.0.1')
    writeFileSync(path.join(at, name), local)
  }
  return at
}
const check = (command: string[]) => {
  const { exitCode, stderr } = Bun.spawnSync(command)
  return exitCode === 0 ? '' : stderr.toString()
}

test('cluster: a commit waits for a second node, and no commit returns without one', () => {
  const { bootstrap, postgresql } = parse(fileOf('database', 'patroni.yml'))
  expect(bootstrap.dcs).toMatchObject({
    synchronous_mode: 'quorum',
    synchronous_mode_strict: true,
  })
  expect(bootstrap.dcs.postgresql.parameters.synchronous_commit).toBe('on')
  expect(postgresql.pg_hba.filter((line: string) => /^host(?!ssl)/.test(line))).toEqual([])
})

test('cluster: every connection between nodes uses TLS, verified against the authority', () => {
  const etcd = parse(fileOf('etcd', 'etcd.yml'))
  for (const kind of ['client-transport-security', 'peer-transport-security']) {
    expect(etcd[kind]).toMatchObject({ 'client-cert-auth': true })
  }
  expect(fileOf('cache', 'redis.conf')).toMatch(/^port 0$/m)
  const haproxy = fileOf('app', 'haproxy.cfg')
  expect(haproxy.match(/^ {2}server .* check-ssl verify required /gm)).toHaveLength(5)
  const app = servicesOf(values, secrets, nodeOf('app')).find(({ name }) => name === 'gateway')
  expect(app?.secrets['DATABASE_URL']).toContain('sslmode=verify-full')
  expect(app?.secrets['REDIS_URL']).toStartWith('rediss:')
  expect(app?.settings).toMatchObject({ TLS_CERTIFICATE: '/etc/telehealth/tls/node.pem' })
  expect(app?.settings['S3_ENDPOINT']).toStartWith('https:')
  const caddy = fileOf('front', 'Caddyfile')
  expect(caddy.match(/\bhttps:\/\/app\d/g)).toHaveLength(20)
  expect(caddy.match(/\btls_trusted_ca_certs /g)).toHaveLength(5)
  expect(caddy).not.toContain('http://')
})

test('cluster: secrets are in the environment or in files marked as secret', () => {
  for (const node of values.nodes) {
    for (const { text, isSecret } of filesOf(values, secrets, node)) {
      expect(text.includes('secret-of-')).toBe(isSecret === true)
    }
    for (const { settings, command } of servicesOf(values, secrets, node)) {
      expect(JSON.stringify([settings, command])).not.toContain('secret-of-')
    }
  }
})

test.skipIf(!existsSync('/usr/sbin/haproxy'))('cluster: HAProxy accepts its configuration', () => {
  expect(check(['haproxy', '-c', '-f', path.join(written('app'), 'haproxy.cfg')])).toBe('')
})

test.skipIf(!existsSync('/usr/bin/caddy'))('cluster: Caddy accepts its configuration', () => {
  const file = path.join(written('front'), 'Caddyfile')
  expect(check(['caddy', 'validate', '--adapter', 'caddyfile', '--config', file])).toBe('')
})

test('cluster: the front proxy closes idle connections before a gateway does, after 30 seconds', () => {
  const text = readFileSync(path.join(written('front'), 'Caddyfile'), 'utf8')
  expect(text.match(/reverse_proxy/g)).toHaveLength(5)
  expect(text.match(/keepalive 20s/g)).toHaveLength(5)
})

test('cluster: a certificate has every name used to reach its node', () => {
  const node = nodeOf('database')
  const names = namesOf(values, node)
  expect(names).toContain('DNS:postgres.cluster.internal')
  const at = path.join(written('database'), 'tls', 'node.pem')
  const { stdout } = Bun.spawnSync([
    'openssl',
    'x509',
    '-in',
    at,
    '-noout',
    '-ext',
    'subjectAltName',
  ])
  for (const name of names) {
    expect(stdout.toString()).toContain(name.replace('IP:', 'IP Address:'))
  }
})
