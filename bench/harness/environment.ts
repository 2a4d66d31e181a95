// A benchmark's environment: a database with fsync on, tenants with keys, and a gateway process.
// The short form uses the test database and a small site.
import { mkdir } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { SQL } from 'bun'
import { issueKey, openIntegration } from '#auth/integrations.ts'
import { noToken, type CachedCredential } from '#auth/principal.ts'
import { type Caller, unauthenticated } from '#auth/audit.ts'
import { allScopes } from '#contract/scopes.ts'
import { startEmbedded } from '#database/embedded/server.ts'
import { waitForLock } from '#database/lock.ts'
import { migrate } from '#database/migrate.ts'
import { openPool, type ConnectionPool } from '#database/pool.ts'
import { openRoles, type RoleUrls } from '#database/roles.ts'
import { sql } from '#database/sql.ts'
import { testDatabase } from '#database/testing/database.ts'
import { rolePasswords } from '#gateway/settings/credentials.ts'
import { openSecrets } from '#gateway/settings/secrets.ts'
import { describePostgres } from './machine.ts'
import type { Options } from './options.ts'
import {
  dataDir,
  endWithParent,
  type Server,
  startSiteGateway,
  startGateway,
  startWorker,
  withClosers,
  withFolder,
} from './server.ts'
import { writeSite } from './site.ts'

export type Tenant = {
  key: string
  credential: string
  integration: string
  organization: string
  id: string
  /** The credential as a gateway caches it. */
  cached: CachedCredential
}

export type BenchEnvironment = {
  /** Connects as the owner, who bypasses row-level security. */
  url: string
  urls: RoleUrls
  pepper: string
  /** The gateway's document storage folder. */
  files: string
  owner: ConnectionPool
  /** The PostgreSQL server's main process; undefined if the server is shared. */
  postmaster: number | undefined
  openTenants(count: number): Promise<Tenant[]>
  openGateway(): Promise<Server>
  /** Runs background jobs until the end. The short form runs no jobs. */
  openWorker(): Promise<Pick<Server, 'stop'>>
}

export type Cluster = {
  describe: string
  /** Creates an environment on a new database, and drops the database afterward. */
  withEnvironment<T>(name: string, work: (environment: BenchEnvironment) => Promise<T>): Promise<T>
}

/** A PostgreSQL server for the benchmarks, stopped after the work. */
export async function withCluster<T>(
  { isShort }: Options,
  work: (cluster: Cluster) => Promise<T>,
): Promise<T> {
  if (isShort)
    return work({ describe: 'PostgreSQL of the tests, without fsync', withEnvironment: onTests })
  await mkdir(dataDir, { recursive: true })
  const lock = await waitForLock(path.join(dataDir, 'run.lock'), 1)
  if (!lock) throw new Error('Another benchmark is running. Two would distort the results.')
  return withClosers(async onClose => {
    onClose(async () => lock.release())
    const secrets = openSecrets(dataDir)
    const dir = path.join(dataDir, 'postgres')
    const server = await startEmbedded({ dir, password: secrets('databasePassword') })
    const forget = endWithParent(server.pid)
    onClose(async () => forget())
    onClose(() => server.stop())
    await using admin = new SQL(server.url, { max: 1 })
    const describe = await describePostgres(admin)
    const withEnvironment: Cluster['withEnvironment'] = (name, inside) =>
      withClosers(async onClose => {
        const url = new URL(server.url)
        url.pathname = `/bench_${name}`
        const drop = () => admin.unsafe(`drop database if exists bench_${name} with (force)`)
        await drop()
        await admin.unsafe(`create database bench_${name}`)
        onClose(drop)
        const sql = new SQL(url.href, { max: 1 })
        await migrate(sql)
        await sql.close()
        const pepper = secrets('keyPepper')
        const urls = await openRoles(url.href, rolePasswords(pepper))
        const owner = openPool({ url: url.href, size: 2, name: 'bench' })
        onClose(() => owner.close())
        const openGateway = async () => {
          await buildSiteIfMissing()
          const gateway = await startGateway({ databaseUrl: url.href, home: dataDir })
          onClose(() => gateway.stop())
          return gateway
        }
        const openWorker = async () => {
          const worker = await startWorker({ databaseUrl: url.href, home: dataDir })
          onClose(() => worker.stop())
          return worker
        }
        const files = path.join(dataDir, 'files')
        const common = { url: url.href, urls, pepper, files, owner, openGateway, openWorker }
        return inside({
          ...common,
          postmaster: server.pid,
          openTenants: tenantOpener(owner, pepper),
        })
      })
    // Awaited here, because the connection above is closed at the end of this block.
    return await work({ describe, withEnvironment })
  })
}

async function onTests<T>(
  _name: string,
  work: (environment: BenchEnvironment) => Promise<T>,
): Promise<T> {
  return withFolder(files => onTestsWith(files, work))
}

async function onTestsWith<T>(
  files: string,
  work: (environment: BenchEnvironment) => Promise<T>,
): Promise<T> {
  return withClosers(async onClose => {
    const database = await testDatabase()
    onClose(() => database.close())
    const { url, urls } = database
    const owner = openPool({ url, size: 2, name: 'bench' })
    onClose(() => owner.close())
    const pepper = 'a pepper for benches'
    const openGateway = async () => {
      const site = await writeSite(1)
      onClose(() => site.remove())
      const gateway = await startSiteGateway({ site: site.folder, files, urls, pepper })
      onClose(() => gateway.stop())
      return gateway
    }
    const openTenants = tenantOpener(owner, pepper)
    const openWorker = async () => ({ stop: async () => {} })
    const common = { url, urls, pepper, files, owner, openTenants, openGateway, openWorker }
    return work({ ...common, postmaster: undefined })
  })
}

const tenantOpener = (owner: ConnectionPool, pepper: string) => (count: number) =>
  owner.use(async connection => {
    const opened: Tenant[] = []
    for (let at = 0; at < count; at++) {
      const sandbox = await openIntegration(connection, 'bench')
      const { integration } = sandbox
      const issued = await issueKey(connection, pepper, {
        integration,
        mode: 'test',
        name: 'bench',
      })
      const [row] = await connection.run<{ tenant: string; revision: string }>(
        sql`select s.id::text as tenant, i.revision::text as revision
              from test.tenants s join auth.integrations i on i.id = s.integration
             where s.integration = ${integration} and s.organization is not null`,
      )
      if (!row) throw new Error('A new integration must have a tenant.')
      const key = {
        ...noToken,
        id: issued.id,
        integration,
        mode: 'test' as const,
        scopes: allScopes,
      }
      const cached = { ...row, ahead: 0, credential: { ...key, agreed: false, organizations: [] } }
      opened.push({ ...sandbox, key: issued.key, credential: issued.id, id: row.tenant, cached })
    }
    return opened
  })

export const callerOf = (tenant: Tenant): Caller => ({
  ...unauthenticated,
  mode: 'test',
  integration: tenant.integration,
  organization: tenant.organization,
  credential: tenant.credential,
})

/** Serves an existing build unchanged, because results don't depend on its newest content. */
async function buildSiteIfMissing(): Promise<void> {
  const siteDir = path.join(import.meta.dir, '../..', 'site')
  if (existsSync(path.join(siteDir, 'dist', 'catalog', 'search.json'))) return
  const { buildSite }: { buildSite(say: (line: string) => void): Promise<void> } = await import(
    path.join(siteDir, 'build', 'build.ts')
  )
  await buildSite(() => {})
}
