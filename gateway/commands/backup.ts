// `npm run admin -- backup`: backs up a running installation, and restores backups.
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { unknownCommand, UsageFault } from '#auth/operator.ts'
import { openStorage } from '#clinical/storage/open.ts'
import { lostFiles } from '#clinical/storage/missing-bytes.ts'
import { type Backup, takeBackup } from '#database/backup/backup.ts'
import { type ConnectionPool, openPool } from '#database/pool.ts'
import { LaunchError } from '#database/launch-error.ts'
import { createFolder } from '#database/backup/create-folder.ts'
import { restoreBackup } from '#database/backup/restore.ts'
import { sql } from '#database/sql.ts'
import { now, randomBytes } from '#database/clock.ts'
import { counted, reportAudit } from './audit-report.ts'
import { copyFiles, type Digests, damagedIn } from './backup-files.ts'
import { type Config, readConfig, storageOf } from '../settings/config.ts'
import { peppersOf } from '../settings/credentials.ts'
import type { Command } from './command.ts'
import { ownerUrl } from './owner-url.ts'
import { openSecrets } from '../settings/secrets.ts'

const help = `Usage:
  npm run admin -- backup take <folder>
  npm run admin -- backup record
  npm run admin -- backup restore <folder> [--archive <folder>] [--until <time>]

take copies the database and the documents in DATA_DIR to a new folder while the service runs.
Keys are not copied: store secrets.json, or KEY_PEPPER and SEAL_KEYS, separately.

record notes that another program just took a backup; take does this automatically.
\`npm run admin -- doctor\` shows the last backup's age.

restore creates a database in an empty DATA_DIR from that folder. With --archive, the installation's
WAL_ARCHIVE, it continues to the last archived transaction, or to --until, such as
2026-11-21T03:00:00Z. Then it verifies the audit log and every document. The exit code is 1 if
anything is missing or changed, and 2 if nothing was restored. npm start runs the restored
installation.`

type Manifest = Backup & { head: string | null; files: Digests }
const say = (line: string) => console.log(line)

async function headOf(pool: ConnectionPool): Promise<string | null> {
  const [row] = await pool.use(connection =>
    connection.run<{ head: string }>(sql`
      select n || ':' || encode(signature, 'hex') as head from audit.signatures
       order by n desc limit 1`),
  )
  return row?.head ?? null
}

async function take(config: Config, folder: string): Promise<number> {
  if (existsSync(folder)) throw new LaunchError(`${folder} already exists. Name a new folder.`)
  const url = ownerUrl(config)
  const pool = openPool({ url, size: 1, name: 'backup', path: 'public' })
  const head = await headOf(pool)
  await pool.close()
  const { at, files } = await createFolder(folder, async unfinished => {
    await mkdir(unfinished, { recursive: true, mode: 0o700 })
    // The database comes first. A file is stored before its row, so every copied row has its file.
    const backup = await takeBackup(url, path.join(unfinished, 'postgres'))
    const copied = await copyFiles(storageOf(config).folder, path.join(unfinished, 'files'))
    const manifest: Manifest = { ...backup, head, files: copied }
    await writeFile(path.join(unfinished, 'backup.json'), JSON.stringify(manifest, null, 2))
    return manifest
  })
  await recordBackup(config)
  say(`Backup of ${at} with ${counted(Object.keys(files).length, 'file')}.`)
  if (config.bucket) say('Documents are in the bucket and are not part of this backup.')
  say('Keys are not included: store secrets.json, or KEY_PEPPER and SEAL_KEYS, separately.')
  return 0
}

async function recordBackup(config: Config): Promise<string> {
  const pool = openPool({ url: ownerUrl(config), size: 1, name: 'backup', path: 'public' })
  const rows = await pool
    .use(connection =>
      connection.run<{ at: string }>(
        sql`insert into public.backups default values returning iso(taken_at) as at`,
      ),
    )
    .finally(() => pool.close())
  return rows[0]?.at ?? ''
}

async function record(config: Config): Promise<number> {
  say(`Recorded a backup at ${await recordBackup(config)}.`)
  return 0
}

async function readManifest(folder: string): Promise<Manifest> {
  const file = path.join(folder, 'backup.json')
  if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8'))
  throw new LaunchError(`${folder} must be a backup folder, which contains a file backup.json.`)
}

type Flags = { archive: string | undefined; until: string | undefined }

async function restore(config: Config, folder: string, flags: Flags): Promise<number> {
  const { dataDir } = config
  if (config.databaseUrl !== undefined) {
    throw new LaunchError(
      'DATABASE_URL must not be set, because a restore creates a database in DATA_DIR.',
    )
  }
  if (!existsSync(path.join(dataDir, 'secrets.json'))) {
    throw new LaunchError(`Copy secrets.json from the backed-up installation to ${dataDir} first.`)
  }
  const manifest = await readManifest(folder)
  const secrets = openSecrets(dataDir)
  const request = {
    from: path.join(folder, 'postgres'),
    dir: path.join(dataDir, 'postgres'),
    password: secrets('databasePassword'),
    takenAt: manifest.at,
    ...flags,
  }
  const verify = async (pool: ConnectionPool) => {
    const hasFiles = await checkFiles(config, pool, folder, manifest)
    return (await reportAudit(pool, peppersOf(config, secrets), manifest.head, say)) && hasFiles
  }
  const isIntact = await restoreBackup(request, async ({ url }) => {
    // Counting every row of a large database takes minutes.
    const settings = { statement_timeout: '0' }
    const pool = openPool({ url, size: 1, name: 'restore', path: 'public', settings })
    return verify(pool).finally(pool.close)
  })
  return isIntact ? 0 : 1
}

/** Restores the documents and prints row counts; returns true if no file is missing or damaged. */
async function checkFiles(
  config: Config,
  pool: ConnectionPool,
  folder: string,
  manifest: Manifest,
): Promise<boolean> {
  const documents = storageOf(config).folder
  await copyFiles(path.join(folder, 'files'), documents)
  const damaged = await damagedIn(documents, manifest.files)
  for (const name of damaged) say(`${name} is missing or damaged.`)
  await printRows(pool)
  const fresh = () => Buffer.from(randomBytes(16)).toString('hex')
  const { count, lost } = await lostFiles(pool, openStorage(storageOf(config), now, fresh))
  for (const id of lost) say(`${id} has no file. Look in the old installation's DATA_DIR/files.`)
  say(`${counted(count, 'live document')}, ${lost.length} without a file.`)
  return lost.length + damaged.length === 0
}

type Counts = { mode: string; patients: number; cases: number; events: number; last: string | null }

async function printRows(pool: ConnectionPool): Promise<void> {
  const rows = await pool.use(connection =>
    connection.run<Counts>(sql`
      select 'live' as mode, (select count(*)::int from live.patients) as patients,
             (select count(*)::int from live.cases) as cases,
             count(*)::int as events, iso(max(created_at)) as last from live.events
       union all
      select 'test', (select count(*)::int from test.patients),
             (select count(*)::int from test.cases),
             count(*)::int, iso(max(created_at)) from test.events`),
  )
  for (const { mode, patients, cases, events, last } of rows) {
    const counts = [counted(patients, 'patient'), counted(cases, 'case'), counted(events, 'event')]
    say(`${mode}: ${counts.join(', ')}, the last at ${last ?? '-'}`)
  }
}

async function run(args: string[]): Promise<number> {
  const [command, folder, ...rest] = args
  if (command === 'record' && folder === undefined) return record(readConfig())
  if (folder === undefined) throw unknownCommand(args)
  if (command === 'take' && rest.length === 0) return take(readConfig(), path.resolve(folder))
  if (command !== 'restore') throw unknownCommand(args)
  const options = { archive: { type: 'string' }, until: { type: 'string' } } as const
  const { archive, until } = parseArgs({ args: rest, options }).values
  if (until !== undefined && archive === undefined) {
    throw new UsageFault('--until needs --archive, the folder with the archived log.')
  }
  return restore(readConfig(), path.resolve(folder), { archive, until })
}

export const backup: Command = { help, run, needsWords: true, failed: 2 }
