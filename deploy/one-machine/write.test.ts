import { afterAll, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parse, stringify } from 'yaml'
import { writeMachine } from './write.ts'

const example = path.join(import.meta.dir, 'values.yaml')
const place = mkdtempSync(path.join(tmpdir(), 'one-machine-'))
afterAll(() => rmSync(place, { recursive: true }))

function written(change: (values: Record<string, Record<string, unknown>>) => void, name: string) {
  const values = parse(readFileSync(example, 'utf8'))
  change(values)
  const file = path.join(place, `${name}.yaml`)
  writeFileSync(file, stringify(values))
  writeMachine(file, path.join(place, name))
  const read = (at: string) => readFileSync(path.join(place, name, at), 'utf8')
  const folder = 'etc/systemd/system'
  const units = readdirSync(path.join(place, name, folder))
  return { read, units, unit: (each: string) => read(`${folder}/telehealth-${each}.service`) }
}

test('one machine: a shell and systemd read the same settings, regardless of characters in values', () => {
  const odd = `smtps://user:a&b"c\\d$e'f\`g@mail.example.com:465`
  const { read } = written(
    values => Object.assign(values['settings'] ?? {}, { SMTP_URL: odd }),
    'odd',
  )
  expect(read('etc/telehealth/platform.env')).toContain('DATABASE_URL="postgres://app:')
  const file = path.join(place, 'odd/etc/telehealth/platform.env')
  const shell = Bun.spawnSync([
    'sh',
    '-c',
    `set -a; . ${file}; printf '%s\\n%s' "$SMTP_URL" "$DATABASE_URL"`,
  ])
  const [smtp, database = ''] = shell.stdout.toString().split('\n')
  expect([shell.exitCode, smtp]).toEqual([0, odd])
  expect(new URL(database).searchParams.get('sslmode')).toBe('verify-full')
})

test('one machine: every gateway has its own ports, and every process has its own unit', () => {
  const { units, unit, read } = written(values => Object.assign(values, { gateways: 3 }), 'three')
  expect(units.map(name => name.replace(/^telehealth-|\.service$/g, '')).toSorted()).toEqual([
    'edge',
    'gateway-1',
    'gateway-2',
    'gateway-3',
    'nightly',
    'nightly.timer',
    'worker',
  ])
  const ports = [1, 2, 3].map(at => unit(`gateway-${at}`).match(/_?PORT=(\d+)/g)?.length)
  expect(ports).toEqual([5, 5, 5])
  const all = [1, 2, 3].flatMap(at => unit(`gateway-${at}`).match(/(?<=PORT=)\d+/g) ?? [])
  expect(new Set(all).size).toBe(15)
  // A settings file overrides a unit.
  expect(read('etc/telehealth/platform.env')).not.toMatch(/PORT=/)
  expect(unit('edge')).toContain('--gateways=3000,3010,3020')
})

test('one machine: the database allows as many connections as the processes may open', () => {
  const { read } = written(() => {}, 'plain')
  const limit = Number(/max_connections = '(\d+)'/.exec(read('prepare.sql'))?.[1])
  const [size, worker] = [5, 4]
  expect(limit).toBeGreaterThanOrEqual(2 * (7 * size + 8) + 3 * worker + 6)
})

test('one machine: PostgreSQL gets a certificate and a log archive, unless it already has its own', () => {
  const sql = written(() => {}, 'archived').read('prepare.sql')
  expect(sql).toContain("alter system set ssl_cert_file = '/etc/postgresql/telehealth.pem';")
  expect(sql).toContain("alter system set archive_mode = 'on';")
  expect(sql).toContain('"/mnt/elsewhere/log/%f"')
  const own = written(values => {
    for (const name of ['certificate', 'key', 'backups']) delete values['database']?.[name]
  }, 'own')
  expect(own.read('prepare.sql')).not.toMatch(/ssl|archive/)
  expect(own.units).not.toContain('telehealth-nightly.timer')
})

test('one machine: the database is copied each night, and a restore reads the same folders', () => {
  const { read } = written(() => {}, 'nightly')
  const unit = read('etc/systemd/system/telehealth-nightly.service')
  expect(unit).toContain(`ExecStart=${path.join(place, 'nightly', 'nightly')}`)
  expect(read('nightly')).toContain('to=/mnt/elsewhere/base/')
  expect(read('restore')).toContain('cp \\"/mnt/elsewhere/log/%f\\" \\"%p\\"')
  for (const name of ['nightly', 'restore', 'restart']) {
    const file = path.join(place, 'nightly', name)
    expect([name, Bun.spawnSync(['sh', '-n', file]).exitCode]).toEqual([name, 0])
  }
  const refused = Bun.spawnSync(['sh', path.join(place, 'nightly', 'restore'), place])
  expect([refused.exitCode, refused.stderr.toString()]).toEqual([
    2,
    expect.stringContaining('Usage:'),
  ])
})

test('one machine: secrets stay the same when the files are rewritten, and are never in a checkout', () => {
  const { read } = written(() => {}, 'again')
  const before = read('etc/telehealth/platform.env')
  expect(written(() => {}, 'again').read('etc/telehealth/platform.env')).toBe(before)
  expect(() => writeMachine(example, import.meta.dir)).toThrow('outside the checkout')
})

test('one machine: an error names the invalid setting', () => {
  const wrong = () =>
    written(values => Object.assign(values['settings'] ?? {}, { POOL_SIZE: 'x' }), 'wrong')
  expect(wrong).toThrow('POOL_SIZE')
})

/** Creates a stand-in for one of the machine's programs. */
function stand(folder: string, name: string, script: string): void {
  const file = path.join(folder, name)
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
}

test('one machine: nginx skips a gateway while it restarts, and all are back at the end', () => {
  const { read } = written(() => {}, 'restarted')
  const folder = path.join(place, 'restarted')
  const [conf, log] = [path.join(folder, 'nginx.conf'), path.join(folder, 'log')]
  // The lines that gateway/edge/nginx.ts writes for the site and the API, and for a module's host.
  const ports = [3000, 3010, 3003, 3013]
  const before = ports.map(port => `    server 127.0.0.1:${port} max_fails=0;`).join('\n')
  writeFileSync(conf, before)
  stand(folder, 'curl', 'exit 0')
  stand(folder, 'sleep', 'exit 0')
  stand(
    folder,
    'systemctl',
    `echo "$* $(grep -c down ${conf}) $(grep down ${conf} | tr -d '\\n')" >> ${log}`,
  )
  const script = path.join(folder, 'restart.sh')
  writeFileSync(script, read('restart').replace(/^conf=.*$/m, `conf=${conf}`))
  const PATH = `${folder}:${process.env['PATH'] ?? ''}`
  const { exitCode } = Bun.spawnSync(['sh', script], { env: { PATH } })
  expect(exitCode).toBe(0)
  const lines = readFileSync(log, 'utf8').trim().split('\n')
  const restarts = lines.filter(line => line.startsWith('restart telehealth-gateway'))
  expect(restarts.map(line => line.match(/gateway-\d|:30\d\d/g))).toEqual([
    ['gateway-1', ':3000', ':3003'],
    ['gateway-2', ':3010', ':3013'],
  ])
  // nginx reloads before and after each restart; before the restart, the gateway is marked down.
  expect(lines[0]).toStartWith('kill --kill-whom=main --signal=HUP telehealth-edge 2')
  expect(lines.filter(line => line.startsWith('kill')).length).toBe(4)
  expect(readFileSync(conf, 'utf8')).toBe(before)
  stand(folder, 'curl', 'exit 22')
  rmSync(log)
  const refused = Bun.spawnSync(['sh', script], { env: { PATH } })
  expect([refused.exitCode, existsSync(log)]).toEqual([1, false])
})

test('one machine: a restore moves the files aside, and recovers a copy up to the time', () => {
  const { read } = written(() => {}, 'restored')
  const folder = path.join(place, 'restored')
  const at = (name: string) => path.join(folder, name)
  const [data, copy, log] = [at('main'), at('copy'), at('log')]
  for (const each of [data, copy]) {
    mkdirSync(each)
    writeFileSync(path.join(each, 'PG_VERSION'), each)
  }
  stand(folder, 'pg_lsclusters', `echo 15 other 5433 online x /; echo 15 main 5432 x x ${data} /x`)
  stand(folder, 'systemctl', `echo "$*" >> ${log}`)
  stand(folder, 'runuser', `echo "$*" >> ${log}; case "$*" in *in_recovery*) echo f ;; esac`)
  stand(folder, 'chown', 'exit 0')
  const script = read('restore')
    .replaceAll('/etc/telehealth', at('etc/telehealth'))
    .replaceAll('/opt/telehealth', folder)
  writeFileSync(at('script'), script)
  const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}` }
  const command = ['sh', at('script'), copy, '2026-11-21 14:59:55+00']
  expect(Bun.spawnSync(command, { env }).exitCode).toBe(0)
  const aside = readdirSync(folder).find(name => name.startsWith('main.')) ?? ''
  expect(readFileSync(path.join(folder, aside, 'PG_VERSION'), 'utf8')).toBe(data)
  expect(readFileSync(path.join(data, 'PG_VERSION'), 'utf8')).toBe(copy)
  expect(existsSync(path.join(data, 'recovery.signal'))).toBe(true)
  const settings = readFileSync(path.join(data, 'postgresql.auto.conf'), 'utf8')
  expect(settings).toContain("recovery_target_time = '2026-11-21 14:59:55+00'")
  const lines = readFileSync(log, 'utf8').trim().split('\n')
  expect(lines.slice(0, 3)).toEqual([
    'stop telehealth-worker telehealth-gateway-1 telehealth-gateway-2',
    'stop postgresql@15-main',
    'start postgresql@15-main',
  ])
  expect(lines.at(-1)).toEndWith('gateway/commands/admin.ts audit verify')
})

const verify = '/usr/bin/systemd-analyze'
test.skipIf(!existsSync(verify))(
  'one machine: systemd accepts every unit',
  () => {
    const { units } = written(() => {}, 'verified')
    for (const name of units) {
      const file = path.join(place, 'verified/etc/systemd/system', name)
      // The programs aren't on this machine.
      const text = readFileSync(file, 'utf8').replaceAll(/^(Exec\w+)=\S+/gm, '$1=/bin/true')
      writeFileSync(file, text.replaceAll('/opt/telehealth', place))
      const { stderr } = Bun.spawnSync([verify, 'verify', '--man=no', file])
      expect(
        stderr
          .toString()
          .split('\n')
          .filter(line => line.includes(name)),
      ).toEqual([])
    }
  },
  60_000,
)
