// A PostgreSQL server with two databases and a gateway for each, for moves between them.
import path from 'node:path'
import { rm } from 'node:fs/promises'
import { SQL } from 'bun'
import { issueKey, openIntegration } from '#auth/integrations.ts'
import { startEmbedded } from '#database/embedded/server.ts'
import { migrate } from '#database/migrate.ts'
import { openPool } from '#database/pool.ts'
import { openRoles } from '#database/roles.ts'
import { rolePasswords } from '#gateway/settings/credentials.ts'
import { openSecrets } from '#gateway/settings/secrets.ts'
import { dataDir, startGateway, withClosers } from '../harness/server.ts'
import type { Shard } from './move.ts'

export type ServedShard = Shard & { port: number }

/** What logical replication needs beside the defaults. */
const settings = { wal_level: 'logical', max_worker_processes: '16' }

/** Far apart, so that a tenant keeps its number wherever it is moved. */
const firstTenants = { one: 1, two: 1_000_000 }

export async function withShards<T>(
  isDurable: boolean,
  work: (one: ServedShard, two: ServedShard) => Promise<T>,
): Promise<T> {
  const home = path.join(dataDir, 'shards')
  await rm(home, { recursive: true, force: true })
  return withClosers(async onClose => {
    onClose(() => rm(home, { recursive: true, force: true }))
    const secrets = openSecrets(home)
    const password = secrets('databasePassword')
    const dir = path.join(home, 'postgres')
    const server = await startEmbedded({ dir, password, settings, durable: isDurable })
    onClose(() => server.stop())
    const open = async (database: keyof typeof firstTenants): Promise<ServedShard> => {
      const admin = new SQL(server.url, { max: 1 })
      await admin.unsafe(`create database ${database}`)
      await admin.close()
      const url = new URL(server.url)
      url.pathname = `/${database}`
      const owner = new SQL(url.href, { max: 2 })
      onClose(() => owner.close())
      await migrate(owner)
      await owner.unsafe(
        `alter sequence test.tenants_id_seq restart with ${firstTenants[database]}`,
      )
      await openRoles(url.href, rolePasswords(secrets('keyPepper')))
      const gateway = await startGateway({ databaseUrl: url.href, home })
      onClose(() => gateway.stop())
      return { database, url: url.href, owner, port: gateway.port }
    }
    const one = await open('one')
    return await work(one, await open('two'))
  })
}

export type Account = { integration: string; key: string }

/** An integration with a key, and rows to copy: events, which nothing delivers. */
export async function openAccount(shard: ServedShard, pepper: string, rows: number) {
  const pool = openPool({ url: shard.url, size: 1, name: 'bench' })
  const { integration } = await pool.use(connection => openIntegration(connection, 'bench'))
  const { key } = await pool.use(connection =>
    issueKey(connection, pepper, { integration, mode: 'test', name: 'bench' }),
  )
  await pool.close()
  await shard.owner`
    insert into test.events (tenant, id, type, resource_type, resource_id, status, created_at)
    select t.id, ulid('evt', at, test.ulid_random()), 'order.shipped.v1', 'order', 'ord_' || n,
           'shipped', at
      from test.tenants t, generate_series(1, ${rows}::int) n,
           lateral (select date_trunc('day', now()) - n * interval '1 s' as at) x
     where t.integration = ${integration} and t.organization is not null`
  return { integration, key }
}
