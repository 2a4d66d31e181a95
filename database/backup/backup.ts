// Takes a base backup of a PostgreSQL server on this machine, as pg_basebackup does: a copy of its
// files, and the write-ahead log written during the copy, which makes the files consistent. With an
// archive of the log, the backup can be restored as of any later time (restore.ts). Decided in
// docs/decisions/0054-back-up-postgresql-files.md.
import { existsSync } from 'node:fs'
import { copyFile, mkdir, open, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { SQL } from 'bun'
import { isMissing } from '../failures.ts'
import { LaunchError } from '../launch-error.ts'

export type Backup = {
  /** PostgreSQL's major version. Only the same version can start the copy. */
  major: string
  /** The log positions at which the copy starts and ends. */
  from: string
  to: string
  /** When the backup ended, by the database's clock. */
  at: string
}

/** Files that belong to this server process or are created at every start, so they aren't
 *  copied. */
const skipped = new Set(
  [
    'postmaster.pid',
    'postmaster.opts',
    'pg_internal.init',
    'backup_label',
    'tablespace_map',
  ].concat(['recovery.signal', 'standby.signal', 'postgresql.auto.conf.tmp', 'current_logfiles']),
)
/** Folders that are copied without their contents. */
const emptied = new Set(
  ['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial', 'pg_snapshots'].concat([
    'pg_stat_tmp',
    'pg_subtrans',
    'pgsql_tmp',
    'archive_status',
  ]),
)

/** Copies the database at the owner's URL into a folder that doesn't exist yet. */
export async function takeBackup(url: string, folder: string): Promise<Backup> {
  await using driver = new SQL({ url, max: 1, idleTimeout: 0, maxLifetime: 0 })
  // One session from start to stop, because the backup and the slot end with the session. A
  // reserved connection never continues on another session.
  const session = await driver.reserve()
  try {
    const [role] = await session`select rolsuper as may from pg_roles where rolname = current_user`
    if (role?.may !== true) throw new LaunchError(byYourself)
    const [server] = await session`
      select current_setting('data_directory') as dir,
             current_setting('server_version_num')::int / 10000 as major,
             exists (select from pg_tablespace where spcname !~ '^pg_') as spread`
    refuseElsewhere(server)
    // The slot keeps the log written during the copy, however long that takes.
    const slot = `backup_${process.pid}`
    await session`select pg_create_physical_replication_slot(${slot}, true, true)`
    const [start] = await session`
      select lsn::text, pg_walfile_name(lsn) as file from pg_backup_start('backup', true) as lsn`
    await copyFolder(server.dir, folder)
    const [stop] = await session`
      select lsn::text, pg_walfile_name(lsn) as file, labelfile as label,
             to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
        from pg_backup_stop(false)`
    await writeFile(path.join(folder, 'backup_label'), stop.label, { mode: 0o600 })
    await copyLog(path.join(server.dir, 'pg_wal'), path.join(folder, 'pg_wal'), start, stop)
    // The session still exists here, so the slot has kept every log file.
    await session`select pg_drop_replication_slot(${slot})`
    return { major: String(server.major), from: start.lsn, to: stop.lsn, at: stop.at }
  } finally {
    await session.release()
  }
}

/** Only a superuser on its machine can read a server's settings, slots and files. */
const byYourself = `The role in DATABASE_URL can't copy PostgreSQL's files. Take the backup as a role with REPLICATION:
  pg_basebackup --dbname=postgres://backup@db.example.com/ --pgdata=/mnt/elsewhere/today --wal-method=stream
then copy the documents, and run \`npm run admin -- backup record\`. deploy/README.md, "Backups", has the rest.`

type Server = { dir: string; spread: boolean }

function refuseElsewhere({ dir, spread }: Server): void {
  if (!existsSync(path.join(dir, 'PG_VERSION'))) {
    throw new LaunchError(
      `PostgreSQL's data directory, ${dir}, must be readable here. Take the backup on its machine, or use pg_basebackup.`,
    )
  }
  if (spread)
    throw new LaunchError('The database must not have tablespaces. Use pg_basebackup instead.')
}

/** If a file is removed while it's being copied, replaying the log removes it again. */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (skipped.has(entry.name) || entry.name.startsWith('pgsql_tmp')) continue
    if (entry.isDirectory()) {
      if (emptied.has(entry.name)) await mkdir(target, { mode: 0o700 })
      else await copyFolder(source, target)
    } else if (entry.isFile()) await copyDurably(source, target)
  }
}

/** Copies a file and flushes it to disk. */
export async function copyDurably(from: string, to: string): Promise<void> {
  const exists = await copyFile(from, to).then(
    () => true,
    (failure: unknown) => {
      if (isMissing(failure)) return false
      throw failure
    },
  )
  if (!exists) return
  const handle = await open(to, 'r+')
  await handle.sync().finally(() => handle.close())
}

type Place = { file: string }

async function copyLog(from: string, to: string, start: Place, stop: Place): Promise<void> {
  for (const name of await readdir(from)) {
    const isSegment = /^[0-9A-F]{24}$/.test(name) && name >= start.file && name <= stop.file
    if (isSegment || name.endsWith('.history')) {
      await copyDurably(path.join(from, name), path.join(to, name))
    }
  }
}
