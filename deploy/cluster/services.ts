// Each node's processes, their accounts, and the files and secrets that each process reads. Every
// form of the cluster is generated from this list. Decided in
// docs/decisions/0157-wait-for-any-second-database.md.
import { caddyFile } from './files/caddy.ts'
import { patroniFile, pgbackrestFile } from './files/database.ts'
import { etcdFile } from './files/etcd.ts'
import { haproxyFile } from './files/haproxy.ts'
import { platformSecrets, platformSettings, type Secrets } from './files/platform.ts'
import { redisFile } from './files/redis.ts'
import { type Node, places, type Role, type Values } from './values.ts'

export type ServiceName =
  | 'etcd'
  | 'patroni'
  | 'redis'
  | 'storage'
  | 'haproxy'
  | 'gateway'
  | 'worker'
  | 'caddy'

export type Service = {
  readonly name: ServiceName
  readonly summary: string
  readonly user: string
  readonly command: readonly string[]
  readonly settings: Readonly<Record<string, string>>
  /** Secret variables, which no configuration file contains. */
  readonly secrets: Readonly<Record<string, string>>
  /** How long the process may take to finish running work and stop. */
  readonly stopSeconds: number
}

/** A node's file, in places.config. */
export type ConfigFile = { readonly name: string; readonly text: string; readonly isSecret?: true }

const bun = `${places.program}/node_modules/.bin/bun`
const plain = { settings: {}, secrets: {}, stopSeconds: 30 } as const

type Make = (values: Values, secrets: Secrets) => readonly Service[]

const byRole: Readonly<Record<Role, Make>> = {
  etcd: () => [
    {
      ...plain,
      name: 'etcd',
      summary: 'Records which node is primary',
      user: 'etcd',
      command: ['/usr/bin/etcd', '--config-file', `${places.config}/etcd.yml`],
    },
  ],
  database: ({ patroni }, secrets) => [
    {
      ...plain,
      name: 'patroni',
      summary: 'PostgreSQL, as primary or standby',
      user: 'postgres',
      command: [...patroni.command, `${places.config}/patroni.yml`],
      secrets: {
        PATRONI_SUPERUSER_PASSWORD: secrets.postgres,
        PATRONI_REPLICATION_PASSWORD: secrets.replicator,
        PATRONI_REWIND_PASSWORD: secrets.rewind,
      },
      stopSeconds: 60,
    },
  ],
  cache: () => [
    {
      ...plain,
      name: 'redis',
      summary: 'Rate limit counters',
      user: 'redis',
      command: ['/usr/bin/redis-server', `${places.config}/redis.conf`],
    },
  ],
  storage: () => [
    {
      ...plain,
      name: 'storage',
      summary: 'S3-compatible document storage',
      user: 'telehealth',
      command: [bun, `${places.program}/deploy/cluster/local/storage.ts`],
    },
  ],
  app: (values, secrets) => {
    const platform = {
      user: 'telehealth',
      settings: platformSettings(values),
      secrets: platformSecrets(values, secrets),
    }
    return [
      {
        ...plain,
        name: 'haproxy',
        summary: 'Routes to the primary and the cache',
        user: 'haproxy',
        command: ['/usr/sbin/haproxy', '-db', '-f', `${places.config}/haproxy.cfg`],
      },
      {
        ...platform,
        name: 'gateway',
        summary: 'The site and every API',
        command: [bun, `${places.program}/gateway/server/main.ts`],
        stopSeconds: 60,
      },
      {
        ...platform,
        name: 'worker',
        summary: 'Webhooks, exports, timers and expired rows',
        command: [bun, `${places.program}/gateway/commands/worker.ts`],
        stopSeconds: 60,
      },
    ]
  },
  front: () => [
    {
      ...plain,
      name: 'caddy',
      summary: 'TLS for the public names',
      user: 'caddy',
      command: [
        '/usr/bin/caddy',
        'run',
        '--adapter',
        'caddyfile',
        '--config',
        `${places.config}/Caddyfile`,
      ],
    },
  ],
}

/** Configures the storage that `up` runs. Other forms use an existing bucket. */
const storageFile = ({ bucket }: Values, { bucketKey, bucketSecret }: Secrets): string =>
  JSON.stringify({
    bucket: bucket.name,
    region: bucket.region,
    accessKeyId: bucketKey,
    secretAccessKey: bucketSecret,
  })

export const servicesOf = (values: Values, secrets: Secrets, node: Node): readonly Service[] =>
  byRole[node.role](values, secrets)

/** The services of a real deployment: all but storage, which is a local cluster's test server. */
export const deployedServicesOf: typeof servicesOf = (...of) =>
  servicesOf(...of).filter(({ name }) => name !== 'storage')

export function filesOf(values: Values, secrets: Secrets, node: Node): readonly ConfigFile[] {
  switch (node.role) {
    case 'etcd':
      return [{ name: 'etcd.yml', text: etcdFile(values, node) }]
    case 'database':
      return [
        { name: 'patroni.yml', text: patroniFile(values, node) },
        { name: 'pgbackrest.conf', text: pgbackrestFile(values) },
      ]
    case 'cache':
      return [{ name: 'redis.conf', text: redisFile(values, node, secrets.redis), isSecret: true }]
    case 'app':
      return [{ name: 'haproxy.cfg', text: haproxyFile(values) }]
    case 'front':
      return [{ name: 'Caddyfile', text: caddyFile(values) }]
    case 'storage':
      return [{ name: 'storage.json', text: storageFile(values, secrets), isSecret: true }]
  }
}
