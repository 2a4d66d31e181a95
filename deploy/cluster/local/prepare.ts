// Writes the files for the nodes of this machine's cluster, including secrets and certificates.
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { namesOf, openAuthority, writeCertificate } from '../certificates.ts'
import type { Secrets } from '../files/platform.ts'
import { openSecrets } from '../secrets.ts'
import { filesOf, servicesOf } from '../services.ts'
import { hostOf, type Node, places, proxied, type Values } from '../values.ts'
import { outside, run } from './network.ts'
import type { State } from './state.ts'

/** The account that Debian's package creates for PostgreSQL. */
function postgresAccount(): [uid: number, gid: number] {
  const [uid = 0, gid = 0] = ['-u', '-g'].map(flag => Number(run(['id', flag, 'postgres'])))
  return [uid, gid]
}

/** Every node's names. The database's and the cache's names lead to HAProxy on the node itself. */
function hostsFile(values: Values, node: Node): string {
  const { postgres, redis } = proxied(values)
  const front = values.nodes.find(({ role }) => role === 'front')
  return [
    '127.0.0.1 localhost',
    ...(node.role === 'app' ? [`127.0.0.1 ${postgres} ${redis}`] : []),
    ...values.nodes.map(each => `${each.address} ${hostOf(values, each)}`),
    `${front?.address} ${Object.values(values.hosts).join(' ')}`,
    `${outside(values)} outside.${values.domain}`,
    '',
  ].join('\n')
}

function prepareNode(state: State, values: Values, secrets: Secrets, node: Node): void {
  const { config, data, hosts } = state.folders(node.name)
  mkdirSync(config, { recursive: true })
  mkdirSync(path.join(data, path.basename(places.backup)), { recursive: true })
  writeCertificate(state.authority, path.join(config, 'tls'), node.name, namesOf(values, node))
  for (const { name, text } of filesOf(values, secrets, node)) {
    writeFileSync(path.join(config, name), text)
  }
  writeFileSync(hosts, hostsFile(values, node))
  for (const { user } of servicesOf(values, secrets, node)) {
    if (user !== 'postgres') continue
    const [uid, gid] = postgresAccount()
    const tls = path.join(config, 'tls')
    for (const one of readdirSync(tls)) chownSync(path.join(tls, one), uid, gid)
    chownSync(data, uid, gid)
    chmodSync(data, 0o700)
  }
}

export function prepare(state: State, values: Values): Secrets {
  for (const folder of [places.config, places.data, places.program]) {
    mkdirSync(folder, { recursive: true })
  }
  mkdirSync(state.backup, { recursive: true })
  chownSync(state.backup, ...postgresAccount())
  const secrets = openSecrets(state.secrets)
  writeFileSync(state.values, JSON.stringify(values))
  openAuthority(state.authority, values)
  for (const node of values.nodes) prepareNode(state, values, secrets, node)
  return secrets
}

/** The values and secrets that `up` wrote, for later commands. */
export function readValuesAsWritten(state: State): { values: Values; secrets: Secrets } {
  if (!existsSync(state.values)) {
    throw new Error('No cluster is running on this machine. Start one with deploy/cluster/up.')
  }
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
  return { values: read(state.values), secrets: read(state.secrets) }
}
