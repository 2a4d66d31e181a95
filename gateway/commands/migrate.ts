// `npm run admin -- migrate`: migrates the database at DATABASE_URL and sets its roles' passwords,
// without starting anything. A cluster runs this command once before starting a release's gateways
// and workers; `npm start` migrates on its own.
import { SQL } from 'bun'
import { unknownCommand } from '#auth/operator.ts'
import type { Peppers } from '#auth/pepper.ts'
import { migrate } from '#database/migrate.ts'
import { checkMigrations, type MigrationCheck } from '#database/migration-check.ts'
import { progressLine, progressOf } from '#database/online/progress.ts'
import { openPool } from '#database/pool.ts'
import { readConfig } from '../settings/config.ts'
import {
  checkPeppers,
  checkStopped,
  openPlatformRoles,
  startWithPeppers,
} from '../processes/peppers.ts'
import { peppersOf } from '../settings/credentials.ts'
import { openSecrets } from '../settings/secrets.ts'
import type { Command } from './command.ts'
import { ownerUrl } from './owner-url.ts'

const help = `Usage:
  npm run admin -- migrate
  npm run admin -- migrate --check [--json]
  npm run admin -- migrate --progress [--json]
  npm run admin -- migrate --new-pepper

Migrates the database at DATABASE_URL and starts nothing.

--check changes nothing. It lists pending migrations, and says whether the running gateways and
workers keep working alongside them. Run from an earlier version, it says whether that version works
with the database, the first step of a rollback. The exit code is 0 if this version can migrate now,
3 if the processes it names must stop first, and 1 if this version can't use the database.

--progress shows the indexes and backfills that workers complete after a migration. The exit code is
0 if all are done, 3 if some are pending, and 1 if one is failing.

--new-pepper is for a lost KEY_PEPPER. No gateway or worker can be running. It migrates, and from
then on the database accepts only the current pepper. Every earlier key, token, link and
signed URL is refused and has to be reissued. The audit log records it.`

const codes = { ready: 0, impossible: 1, stopFirst: 3, unfinished: 3 } as const

async function run(args: string[]): Promise<number> {
  const [kind, json] = args
  const isJson = json === '--json'
  if (kind === undefined) return apply()
  if (args.length <= (isJson ? 2 : 1)) {
    if (kind === '--new-pepper' && !isJson) return applyWithNewPepper()
    if (kind === '--check') return check(isJson)
    if (kind === '--progress') return progress(isJson)
  }
  throw unknownCommand(args)
}

async function apply(): Promise<number> {
  const config = readConfig()
  const url = ownerUrl(config)
  const peppers = peppersOf(config, openSecrets(config.dataDir))
  await checkPeppers(url, peppers)
  await migrateWith(url, peppers)
  return 0
}

async function applyWithNewPepper(): Promise<number> {
  const config = readConfig()
  const url = ownerUrl(config)
  const peppers = peppersOf(config, openSecrets(config.dataDir))
  const pool = openPool({ url, size: 1, name: 'migrate' })
  await pool.use(checkStopped)
  await migrateWith(url, peppers, () => pool.use(one => startWithPeppers(one, peppers)))
  await pool.close()
  console.log('The database now accepts only this KEY_PEPPER.')
  return 0
}

async function migrateWith(
  url: string,
  peppers: Peppers,
  beforeRoles?: () => Promise<void>,
): Promise<void> {
  await using sql = new SQL({ url, max: 1, connectionTimeout: 10 })
  const { length } = await migrate(sql, console.log)
  await beforeRoles?.()
  await openPlatformRoles(url, peppers)
  console.log(`Applied ${length} migrations.`)
}

async function check(isJson: boolean): Promise<number> {
  const pool = openPool({ url: ownerUrl(readConfig()), size: 1, name: 'migrate' })
  const found = await pool.use(connection => checkMigrations(connection)).finally(pool.close)
  console.log(isJson ? JSON.stringify(found, null, 2) : linesOf(found).join('\n'))
  if (found.fault !== null) return codes.impossible
  return found.stop.length > 0 ? codes.stopFirst : codes.ready
}

async function progress(isJson: boolean): Promise<number> {
  const pool = openPool({ url: ownerUrl(readConfig()), size: 1, name: 'migrate' })
  const jobs = await pool.use(connection => progressOf(connection)).finally(pool.close)
  const lines = jobs.length === 0 ? ['No jobs.'] : jobs.map(progressLine)
  console.log(isJson ? JSON.stringify(jobs, null, 2) : lines.join('\n'))
  if (jobs.some(({ state }) => state === 'failing')) return codes.impossible
  return jobs.every(({ state }) => state === 'done') ? codes.ready : codes.unfinished
}

function linesOf({ pending, newer, processes, stop, fault }: MigrationCheck): string[] {
  if (fault !== null) return [fault]
  const besides = (from: string | null) => (from === null ? 'alone' : `alongside ${from} or later`)
  const first = (jobs: readonly string[]) =>
    jobs.length === 0 ? '' : `; runs ${jobs.join(', ')} first`
  const state =
    pending.length === 0
      ? 'Nothing is pending.'
      : `${pending.length} pending; ${processes.length} gateways and workers are running.`
  return [
    ...newer.map(name => `newer    ${name}: this version works with it`),
    ...pending.map(
      one => `pending  ${one.name}: runs ${besides(one.compatible_with)}${first(one.waits_for)}`,
    ),
    ...stop.map(({ kind, schema }) => `stop     the ${kind} whose newest migration is ${schema}`),
    stop.length === 0 ? state : `${state} Stop the processes above, then migrate.`,
  ]
}

export const migration: Command = { help, run }
