// A cluster's values, read from values.yaml, and the names, URLs and ports derived from them.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { gatewayConnections, sumOf, workerConnections } from '#gateway/processes/connections.ts'

const roles = ['etcd', 'database', 'app', 'cache', 'storage', 'front'] as const
export type Role = (typeof roles)[number]
export type Node = { readonly name: string; readonly role: Role; readonly address: string }
export const modules = ['api', 'auth', 'mcp', 'portal', 'console'] as const
export type ModuleName = (typeof modules)[number]

export type Values = {
  readonly name: string
  readonly domain: string
  readonly hosts: Readonly<Record<ModuleName, string>>
  readonly nodes: readonly Node[]
  readonly network: string
  readonly dns: boolean
  /** The time to which an empty cluster restores the backup. */
  readonly restore_to?: string
  readonly backup: Readonly<Record<string, string | number>>
  readonly postgres: {
    readonly version: number
    readonly database: string
    readonly max_connections: number
    readonly shared_buffers: string
  }
  readonly patroni: {
    readonly command: readonly string[]
    readonly ttl: number
    readonly loop_wait: number
    readonly retry_timeout: number
    readonly primary_start_timeout: number
  }
  readonly platform: {
    readonly ready_path: string
    readonly pool_size: number
    readonly worker_pool_size: number
    readonly worker_sockets: number
    readonly rate_limit_requests: number
    readonly webhook_allow: readonly string[]
    readonly mail_from: string
    readonly smtp_url?: string
  }
  readonly bucket: { readonly name: string; readonly region: string }
  readonly images: Readonly<
    Record<'postgres' | 'platform' | 'etcd' | 'haproxy' | 'redis' | 'caddy', string>
  >
}

/** Paths on each machine, the same in every form of the cluster. */
export const places = {
  config: '/etc/telehealth',
  data: '/var/lib/telehealth',
  program: '/opt/telehealth',
  backup: '/var/lib/telehealth/backup',
} as const

export const tls = {
  authority: `${places.config}/tls/ca.pem`,
  certificate: `${places.config}/tls/node.pem`,
  key: `${places.config}/tls/node.key`,
  /** Certificate and key in one file, as HAProxy reads them. */
  both: `${places.config}/tls/node-and-key.pem`,
} as const

export const ports = {
  etcd: 2379,
  etcdPeer: 2380,
  postgres: 5432,
  patroni: 8008,
  redis: 6379,
  storage: 9000,
  haproxy: 8404,
  front: 443,
  metrics: 9100,
  workerMetrics: 9101,
  modules: { api: 3000, auth: 3001, mcp: 3002, portal: 3003, console: 3004 },
} as const

/**
 * The names that gateways and workers use for the database and the cache. HAProxy on their own
 * machine listens under these names. The servers' certificates also contain these names, so TLS is
 * verified end to end.
 */
export const proxied = ({ domain }: Values) => ({
  postgres: `postgres.${domain}`,
  redis: `redis.${domain}`,
})

export const hostOf = ({ domain }: Values, node: Pick<Node, 'name'>) => `${node.name}.${domain}`

export const nodesOf = ({ nodes }: Values, role: Role): readonly Node[] =>
  nodes.filter(node => node.role === role)

/** Finds values that the programs accept but that break the cluster once one machine fails. */
export function faultsOf(values: Values): string[] {
  const { ttl, loop_wait, retry_timeout } = values.patroni
  const names = values.nodes.map(({ name }) => name)
  const counts = roles.map(role => [role, nodesOf(values, role).length] as const)
  const { pool_size, worker_pool_size } = values.platform
  const connections =
    sumOf(gatewayConnections(pool_size)) + sumOf(workerConnections(worker_pool_size))
  const apps = nodesOf(values, 'app').length
  const wanted = apps * connections
  return [
    ...(loop_wait + 2 * retry_timeout > ttl
      ? ['patroni: loop_wait + 2 × retry_timeout must not exceed ttl']
      : []),
    ...(new Set(names).size < names.length ? ['nodes: two have the same name'] : []),
    ...counts.flatMap(([role, count]) => (count > 0 ? [] : [`nodes: none has the role ${role}`])),
    ...(nodesOf(values, 'etcd').length % 2 === 1 ? [] : ['nodes: etcd needs an odd number']),
    ...(wanted > values.postgres.max_connections - 20
      ? [`postgres: max_connections must be at least ${wanted + 20} for ${apps} machines`]
      : []),
  ]
}

export function readValues(file = path.join(import.meta.dir, 'values.yaml')): Values {
  const values = parse(readFileSync(file, 'utf8')) as Values
  const faults = faultsOf(values)
  if (faults.length > 0) throw new Error(`${file}:\n${faults.join('\n')}`)
  return values
}
