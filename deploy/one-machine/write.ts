// `deploy/one-machine/write --values=FILE --out=FOLDER`: writes the files for one machine that runs
// the platform under systemd: settings, units for two gateways, a worker and nginx, the SQL that
// prepares the database, and scripts that restart, back up and restore. Paths are from `places`.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import { archiving } from '#database/embedded/archiving.ts'
import { gatewayConnections, sumOf, workerConnections } from '#gateway/processes/connections.ts'
import { readConfig } from '#gateway/settings/config.ts'
import { environmentFile, unitFile } from '../cluster/forms/systemd.ts'
import { checkoutOf } from '../cluster/checkout.ts'
import { openSecrets } from '../cluster/secrets.ts'
import { places } from '../cluster/values.ts'
import { nightly, restart, restore } from './scripts.ts'

type Values = {
  gateways: number
  port: number
  database: {
    host: string
    port: number
    name: string
    authority?: string
    certificate?: string
    key?: string
    backups?: string
  }
  edge: { listen: number; certificate?: string; key?: string }
  settings: Record<string, string>
}

const bun = `${places.program}/node_modules/.bin/bun`
const admin = `${bun} ${places.program}/gateway/commands/admin.ts`
const edgeFolder = `${places.data}/edge`

/** Gateways' first ports. Each gateway uses five ports. */
const portsOf = ({ gateways, port }: Values) =>
  Array.from({ length: gateways }, (_, at) => port + 10 * at)

function settingsOf(values: Values, secrets: ReturnType<typeof openSecrets>) {
  const { host, port, name, authority } = values.database
  const url = new URL(`postgres://app:${secrets.owner}@${host}:${port}/${name}`)
  url.searchParams.set('sslmode', 'verify-full')
  if (authority !== undefined) url.searchParams.set('sslrootcert', authority)
  return {
    DATA_DIR: `${places.data}/platform`,
    SITE_DIR: `${places.program}/site/dist`,
    DATABASE_URL: url.href,
    KEY_PEPPER: secrets.pepper,
    SEAL_KEYS: secrets.seal,
    ...values.settings,
  }
}

const moduleNames = ['AUTH', 'MCP', 'PORTAL', 'CONSOLE']

/**
 * Settings that differ between gateways. These settings are only in the units, because the settings
 * file would override them.
 */
const portLines = (port: number) => [
  // The same value as in deploy/install.mjs.
  'Environment=UV_THREADPOOL_SIZE=16',
  `Environment=PORT=${port}`,
  ...moduleNames.map((name, at) => `Environment=${name}_PORT=${port + at + 1}`),
]

type Unit = { name: string; summary: string; command: readonly string[]; own?: readonly string[] }

function unitsOf(values: Values): Unit[] {
  const { listen, certificate, key } = values.edge
  const edge = [
    `${admin} edge --out=${edgeFolder} --listen=${listen}`,
    `--gateways=${portsOf(values)}`,
    ...(certificate && key ? [`--certificate=${certificate} --key=${key}`] : []),
  ].join(' ')
  return [
    ...portsOf(values).map((port, at) => ({
      name: `gateway-${at + 1}`,
      summary: `The site and every API, on port ${port}`,
      command: [bun, `${places.program}/gateway/server/main.ts`],
      own: portLines(port),
    })),
    {
      name: 'worker',
      summary: 'Webhooks, exports, timers and expired rows',
      command: [bun, `${places.program}/gateway/commands/worker.ts`],
    },
    {
      name: 'edge',
      summary: 'nginx in front of the gateways, serving the built site',
      command: ['/usr/sbin/nginx', '-p', edgeFolder, '-c', 'nginx.conf'],
      own: [
        `ExecStartPre=${edge}`,
        `ExecReload=${edge}`,
        `ExecReload=/usr/sbin/nginx -p ${edgeFolder} -c nginx.conf -s reload`,
        'AmbientCapabilities=CAP_NET_BIND_SERVICE',
        'CapabilityBoundingSet=CAP_NET_BIND_SERVICE',
      ],
    },
  ]
}

/** SQL for the server's superuser to run once. */
function preparation(values: Values, password: string): string {
  const { name, certificate, key, backups } = values.database
  const settings = {
    // Connections for the gateways and the worker, plus a few for people.
    max_connections: String(connectionsOf(values) + 20),
    ...(certificate && key && { ssl: 'on', ssl_cert_file: certificate, ssl_key_file: key }),
    ...(backups && archiving(`${backups}/log`)),
  }
  const lines = Object.entries(settings).map(
    ([setting, value]) => `alter system set ${setting} = '${value.replaceAll("'", "''")}';\n`,
  )
  return `-- psql -d postgres -f prepare.sql, as postgres
create role app login createrole password '${password}';
grant pg_monitor to app with admin option;
create database ${name} owner app;
-- These take effect after a restart.
${lines.join('')}`
}

function connectionsOf({ gateways, settings }: Values): number {
  const size = (name: string, otherwise: number) => Number(settings[name] ?? otherwise)
  const worker = sumOf(workerConnections(size('WORKER_POOL_SIZE', 4)))
  return gateways * sumOf(gatewayConnections(size('POOL_SIZE', 10))) + worker
}

type OutputFile = { name: string; text: string; mode: number }

function filesOf(values: Values, folder: string): OutputFile[] {
  const secrets = openSecrets(path.join(folder, 'secrets.json'))
  const settings = settingsOf(values, secrets)
  // Throws an error that names any invalid setting.
  readConfig(settings)
  const at = (name: string) => `etc/systemd/system/telehealth-${name}.service`
  return [
    {
      name: `${places.config.slice(1)}/platform.env`,
      text: environmentFile({ settings, secrets: {} }),
      mode: 0o640,
    },
    ...unitsOf(values).map(({ own = [], ...unit }) => ({
      name: at(unit.name),
      text: unitFile({ ...unit, own, user: 'telehealth', stopSeconds: 60, file: 'platform' }),
      mode: 0o644,
    })),
    { name: 'prepare.sql', text: preparation(values, secrets.owner), mode: 0o600 },
    { name: 'restart', text: restart(portsOf(values)), mode: 0o755 },
    ...backupFiles(values, folder),
  ]
}

/**
 * Files for the nightly backup. The backup runs as root, because PostgreSQL and the platform have
 * separate accounts.
 */
function backupFiles({ gateways, database: { backups, port } }: Values, folder: string) {
  if (backups === undefined) return []
  const unit = (kind: string, lines: string) => ({
    name: `etc/systemd/system/telehealth-nightly.${kind}`,
    text: `[Unit]\nDescription=Nightly database copy and audit log check\n\n${lines}`,
    mode: 0o644,
  })
  const timer = '[Timer]\nOnCalendar=03:00\nPersistent=yes\n\n[Install]\nWantedBy=timers.target\n'
  return [
    { name: 'nightly', text: nightly(backups, port), mode: 0o755 },
    { name: 'restore', text: restore(backups, { port, gateways }), mode: 0o755 },
    unit('service', `[Service]\nType=oneshot\nExecStart=${path.join(folder, 'nightly')}\n`),
    unit('timer', timer),
  ]
}

export function writeMachine(file: string, folder: string): string[] {
  const checkout = checkoutOf(folder)
  if (checkout !== undefined)
    throw new Error(`--out must be outside the checkout ${checkout}: the folder gets secrets.`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const files = filesOf(parse(readFileSync(file, 'utf8')) as Values, folder)
  for (const { name, text, mode } of files) {
    const target = path.join(folder, name)
    mkdirSync(path.dirname(target), { recursive: true })
    writeFileSync(target, text)
    chmodSync(target, mode)
  }
  return files.map(({ name }) => name)
}

const usage = `Usage: deploy/one-machine/write --values=FILE --out=FOLDER

Writes settings, units, SQL and scripts for one machine. The secrets stay the same when you write
again. Start with deploy/one-machine/values.yaml; the README.md beside it has the steps.`

function main(args: string[]): number {
  const options = { values: { type: 'string' }, out: { type: 'string' } } as const
  const { values, out } = args.includes('--help') ? {} : parseArgs({ args, options }).values
  if (values === undefined || out === undefined) {
    console.log(usage)
    return args.includes('--help') ? 0 : 2
  }
  try {
    const names = writeMachine(values, path.resolve(out))
    console.log(`Wrote to ${out}:\n${names.map(name => `  ${name}`).join('\n')}`)
    return 0
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return 1
  }
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2))
