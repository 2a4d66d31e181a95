// `deploy/cluster/up`: starts the cluster on one Debian machine, each node in a network namespace.
// The command needs root, and lists any missing packages.
import { existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { preparationSql } from '../files/database.ts'
import { platformSecrets, platformSettings, type Secrets } from '../files/platform.ts'
import { nodesOf, places, readValues, type Values } from '../values.ts'
import { startServices, until } from './control.ts'
import { databasesOf, isWhole, primaryOf } from './databases.ts'
import { commandOn, createNetwork, namespaces, outside, run } from './network.ts'
import { patroniCommand } from './patroni.ts'
import { prepare } from './prepare.ts'
import { openState, type State } from './state.ts'

const programs = {
  'etcd-server': '/usr/bin/etcd',
  patroni: '/usr/bin/patroni',
  'python3-etcd': '/usr/lib/python3/dist-packages/etcd/client.py',
  'python3-idna': '/usr/lib/python3/dist-packages/idna/core.py',
  'postgresql-15': '/usr/lib/postgresql/15/bin/postgres',
  pgbackrest: '/usr/bin/pgbackrest',
  haproxy: '/usr/sbin/haproxy',
  'redis-server': '/usr/bin/redis-server',
  caddy: '/usr/bin/caddy',
  nftables: '/usr/sbin/nft',
  iproute2: '/usr/sbin/ip',
  openssl: '/usr/bin/openssl',
  curl: '/usr/bin/curl',
}

export function missingPrograms(): string[] {
  return Object.entries(programs).flatMap(([name, file]) => (existsSync(file) ? [] : [name]))
}

/** Reduces the cluster to `count` gateway and worker machines, for a smaller machine. */
function withApps(values: Values, count: number): Values {
  const kept = new Set(nodesOf(values, 'app').slice(0, count))
  return {
    ...values,
    dns: false,
    nodes: values.nodes.filter(node => node.role !== 'app' || kept.has(node)),
    platform: {
      ...values.platform,
      rate_limit_requests: 10_000_000,
      webhook_allow: [outside(values)],
      // Live mode needs this setting. No mail server listens there, so emails stay queued.
      smtp_url: `smtp://${outside(values)}:2525`,
    },
  }
}

async function startDatabase(state: State, values: Values, secrets: Secrets): Promise<void> {
  for (const service of ['etcd', 'storage', 'redis', 'haproxy', 'patroni'] as const) {
    await startServices(state, { service })
  }
  const asked = () => databasesOf(values, state.authority)
  const primary = await until('a primary', 60, async () => primaryOf(await asked()))
  const psql = ['psql', '-v', 'ON_ERROR_STOP=1', '-qX', '-h', places.data, '-U', 'postgres']
  const onPrimary = (command: string[], input?: string) =>
    run(commandOn(state, { name: primary }, { user: 'postgres' }, command), input)
  // No commit returns without a standby, so this waits for the standbys first.
  await until('the standbys', 120, async () => isWhole(await asked()))
  onPrimary(psql, preparationSql(values, secrets.owner))
  const backrest = ['pgbackrest', `--config=${places.config}/pgbackrest.conf`]
  onPrimary([...backrest, `--stanza=${values.name}`, 'stanza-create'])
}

/** Runs a platform command on the first gateway machine. */
export function runOnApp(
  state: State,
  values: Values,
  secrets: Secrets,
  args: string[],
  release = state.release,
): string {
  const settings = { ...platformSettings(values), ...platformSecrets(values, secrets) }
  const pairs = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
  const bun = `${places.program}/node_modules/.bin/bun`
  const program = args.map((arg, at) => (at === 0 ? `${places.program}/${arg}` : arg))
  return run(commandOn(state, { name: 'app1' }, { release }, ['env', ...pairs, bun, ...program]))
}

async function startPlatform(state: State, values: Values, secrets: Secrets): Promise<void> {
  const on = (args: string[]) => runOnApp(state, values, secrets, args)
  await until('migrations', 120, async () => on(['gateway/commands/admin.ts', 'migrate']))
  const opened = on(['gateway/commands/admin.ts', 'keys', 'open', '--name', 'Cluster'])
  for (const service of ['gateway', 'worker', 'caddy'] as const) {
    await startServices(state, { service })
  }
  const key = /\b\w+_test_\w+/.exec(opened)?.[0] ?? ''
  const front = nodesOf(values, 'front')[0]
  const access = {
    url: `https://${values.hosts.api}`,
    address: front?.address,
    authority: path.join(state.authority, 'ca.pem'),
    key,
  }
  writeFileSync(state.access, `${JSON.stringify(access, null, 2)}\n`, { mode: 0o600 })
  // The key is passed in a file, because a failure prints the command.
  const header = path.join(path.dirname(state.access), 'authorization')
  writeFileSync(header, `Authorization: Bearer ${key}\n`, { mode: 0o600 })
  const curl = ['curl', '-sf', '-m', '3', '-o', '/dev/null', '--cacert', access.authority]
  const resolve = ['--resolve', `${values.hosts.api}:443:${access.address}`]
  await until('the gateways', 120, async () => {
    run([...curl, ...resolve, '-H', `@${header}`, `${access.url}/v1/organization`])
    return true
  })
}

async function main(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      data: { type: 'string' },
      apps: { type: 'string', default: '4' },
      /** Another checkout to run the program from, installed and with its site built. */
      release: { type: 'string' },
      /** The time to restore to, from the backup that `down --keep-backup` left. */
      restore: { type: 'string' },
    },
  })
  if (process.getuid?.() !== 0) throw new Error('Network namespaces need root.')
  const missing = missingPrograms()
  if (missing.length > 0) {
    throw new Error(`Missing: apt-get install --no-install-recommends ${missing.join(' ')}`)
  }
  if (namespaces().length > 0)
    throw new Error('A cluster is already running. Stop it with deploy/cluster/down.')
  const { folder, chosen: releaseFile } = openState(options.data)
  if (options.release !== undefined) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(releaseFile, path.resolve(options.release))
  }
  const state = openState(options.data)
  buildSite(state.release)
  const chosen = {
    ...withApps(readValues(), Number(options.apps)),
    ...(options.restore === undefined ? {} : { restore_to: options.restore }),
  }
  const values = { ...chosen, patroni: { ...chosen.patroni, command: patroniCommand(state) } }
  const began = performance.now()
  const secrets = prepare(state, values)
  createNetwork(values)
  const log = openSync(path.join(state.folder, 'supervisor.log'), 'a')
  const supervisor = path.join(import.meta.dir, 'supervisor.ts')
  Bun.spawn(['setsid', process.execPath, supervisor, state.folder], {
    stdin: 'ignore',
    stdout: log,
    stderr: log,
  }).unref()
  await until('the supervisor', 30, async () => existsSync(state.socket))
  await startDatabase(state, values, secrets)
  await startPlatform(state, values, secrets)
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  console.log(`Ready in ${seconds} s: ${values.nodes.length} nodes; ${state.access} has the key.`)
  process.exit(0)
}

/** Gateways don't start without a built site. */
function buildSite(release: string): void {
  if (existsSync(path.join(release, 'site', 'dist'))) return
  console.log(`Building the site of ${release} …`)
  run(['node', path.join(release, 'deploy', 'run.mjs'), 'site/build/build.ts'])
}

if (import.meta.main) {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    console.error(`Service logs are in ${path.dirname(openState().log(''))}.`)
    process.exit(1)
  })
}
