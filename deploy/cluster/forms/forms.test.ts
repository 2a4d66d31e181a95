// Checks each form of the cluster with the program that reads it: systemd and compose where
// installed, and the Kubernetes schemas.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Secret, Namespace, Service } from 'kubernetes-models/v1'
import { StatefulSet } from 'kubernetes-models/apps/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { parse, parseAllDocuments } from 'yaml'
import { nodesOf, places, readValues } from '../values.ts'
import { writeForm } from '../write.ts'
import { account } from './containers.ts'

const values = readValues()
const root = path.join(import.meta.dir, '../../..')
let folder = ''
const at = (...parts: string[]) => path.join(folder, ...parts)
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'forms-'))
  for (const form of ['systemd', 'compose', 'kubernetes'] as const) {
    writeForm(form, at(form), values)
  }
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true }))

const unitsOf = (node: string) => {
  const units = at('systemd', node, 'etc/systemd/system')
  return (existsSync(units) ? readdirSync(units) : []).map(name => path.join(units, name))
}
test('storage: no form runs the test server, which isn’t in any image', () => {
  const [storage] = nodesOf(values, 'storage')
  expect(unitsOf(storage?.name ?? '')).toEqual([])
  expect(readFileSync(at('compose/compose.yaml'), 'utf8')).not.toContain('deploy/')
  expect(readFileSync(at('kubernetes/cluster.yaml'), 'utf8')).not.toContain('deploy/')
  // The bucket that replaces the storage service still needs a cluster certificate.
  expect(existsSync(at('compose', storage?.name ?? '', 'tls/node.pem'))).toBe(true)
})

const verify = '/usr/bin/systemd-analyze'

/** Units may keep two of systemd's ten exposure points, for the network and the machine's
 *  folders. */
const exposureMax = 2

test.skipIf(!existsSync(verify))(
  'systemd: accepts every unit, and rates none as exposed',
  () => {
    const units = values.nodes.flatMap(({ name }) => unitsOf(name))
    expect(units.length).toBe(21)
    const seen = new Set<string>()
    for (const file of units) {
      const name = path.basename(file)
      if (seen.has(name)) continue
      seen.add(name)
      // The programs may not be on this machine.
      const text = readFileSync(file, 'utf8')
        .replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true')
        .replaceAll(places.program, root)
      writeFileSync(file, text)
      const { stderr } = Bun.spawnSync([verify, 'verify', '--man=no', file])
      const own = stderr
        .toString()
        .split('\n')
        .filter(line => line.includes(name))
      expect(own).toEqual([])
      const judge = ['security', '--offline=yes', `--threshold=${exposureMax * 10}`, file]
      const { exitCode, stdout } = Bun.spawnSync([verify, ...judge])
      expect(exitCode === 0 ? '' : `${name}: ${stdout}`).toBe('')
    }
    expect(seen.size).toBe(7)
  },
  60_000,
)

test('systemd: a unit may write only its data, and gains no privileges', () => {
  for (const node of values.nodes) {
    for (const file of unitsOf(node.name)) {
      const text = readFileSync(file, 'utf8')
      for (const line of ['NoNewPrivileges=yes', 'ProtectSystem=strict', 'Restart=always']) {
        expect(text).toContain(`${line}\n`)
      }
      expect(text).not.toMatch(/^User=root$/m)
    }
  }
})

test('forms: no file with a secret can be read by others', () => {
  const { redis, pepper, owner } = JSON.parse(readFileSync(at('systemd', 'secrets.json'), 'utf8'))
  const files = [
    ...new Bun.Glob('{systemd,compose,kubernetes}/**').scanSync({ cwd: folder, dot: true }),
  ]
  const secret = files.filter(name => {
    const text = readFileSync(at(name), 'utf8')
    return [redis, pepper, owner, 'PRIVATE KEY'].some(one => text.includes(one))
  })
  expect(secret.length).toBeGreaterThan(50)
  expect(secret.filter(name => (statSync(at(name)).mode & 0o007) !== 0)).toEqual([])
})

test('compose: every service is read-only, without capabilities and without root', () => {
  const { services } = parse(readFileSync(at('compose', 'compose.yaml'), 'utf8'))
  const all = Object.values(services) as Record<string, unknown>[]
  expect(all).toHaveLength(21)
  for (const one of all) {
    expect(one).toMatchObject({ read_only: true, cap_drop: ['ALL'], user: '10001:10001' })
  }
  expect(services['app1-gateway'].network_mode).toBe('service:app1-haproxy')
})

test('compose: a node has a data folder, and its network is the trusted proxy range', () => {
  const { services, networks } = parse(readFileSync(at('compose', 'compose.yaml'), 'utf8'))
  expect(networks.inside.ipam.config).toEqual([{ subnet: values.network }])
  expect(services['db1-patroni'].volumes).toEqual([
    `./db1:${places.config}:ro`,
    `./data/db1:${places.data}`,
    `./data/backup:${places.backup}`,
  ])
  const folders = readdirSync(at('compose', 'data'))
  expect(folders.toSorted()).toEqual([...values.nodes.map(({ name }) => name), 'backup'].toSorted())
})

test.skipIf(process.getuid?.() !== 0)(
  'compose: the containers’ account owns the files they read and the folders they write to',
  () => {
    const config = [...new Bun.Glob('{db1,app1,cache1}/**').scanSync({ cwd: at('compose') })]
    const read = config.filter(name => !name.endsWith('.env'))
    expect(read).toContain('db1/tls/node.key')
    for (const name of [...read, 'data/db1', 'data/backup']) {
      const { uid, gid } = statSync(at('compose', name))
      expect([name, uid, gid]).toEqual([name, account, account])
    }
    expect(statSync(at('compose', 'db1/patroni.env')).uid).toBe(0)
  },
)

const compose = '/usr/bin/docker-compose'
const mustRun = process.env['CI'] === 'true'
test.skipIf(!existsSync(compose) && !mustRun)(
  'compose: the file is accepted',
  () => {
    const file = at('compose', 'compose.yaml')
    const accept = (name: string) => Bun.spawnSync([compose, '-f', name, 'config', '-q'])
    const { exitCode, stderr } = accept(file)
    expect([exitCode, stderr.toString()]).toEqual([0, ''])
    const broken = at('compose', 'broken.yaml')
    writeFileSync(broken, readFileSync(file, 'utf8').replace('read_only: true', 'read_only: [yes]'))
    expect(accept(broken).exitCode).not.toBe(0)
  },
  60_000,
)

const kinds = { Secret, Namespace, Service, StatefulSet, PodDisruptionBudget }

test('kubernetes: every manifest satisfies its kind’s schema', () => {
  const text = readFileSync(at('kubernetes', 'cluster.yaml'), 'utf8')
  const all = parseAllDocuments(text).map(one => one.toJS() as { kind: keyof typeof kinds })
  expect(all.length).toBeGreaterThan(70)
  for (const manifest of all) {
    const Kind = kinds[manifest.kind] as new (data: unknown) => { validate(): void }
    expect(() => new Kind(manifest).validate()).not.toThrow()
  }
  const sets = all.filter(({ kind }) => kind === 'StatefulSet')
  expect(sets).toHaveLength(values.nodes.length - 1)
  expect(nodesOf(values, 'app')).toHaveLength(4)
  const broken = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: {},
    spec: { replicas: 'one' },
  }
  expect(() => new StatefulSet(broken as never).validate()).toThrow()
})

test('forms: a folder inside a checkout is refused before anything is written into it', () => {
  const inside = path.join(import.meta.dir, 'out')
  expect(() => writeForm('compose', inside, values)).toThrow('must be outside the checkout')
  expect(existsSync(inside)).toBe(false)
})
