// A copy of a running database that starts by itself: the files of PostgreSQL as they are copied,
// and the write-ahead log from the copy's first moment to its last, which makes one state of them.
// It is what pg_basebackup makes, for a PostgreSQL on this machine. With an archive of the log
// beside it, a copy becomes the database of any later moment (restore.ts).
import { existsSync } from 'node:fs'
import { copyFile, mkdir, open, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { SQL } from 'bun'
import { isMissing } from '../failures.ts'
import { LaunchError } from '../launch-error.ts'

export type Backup = {
  /** Of PostgreSQL; no other can start the copy. */
  major: string
  /** Where in the log the copy begins and ends. */
  from: string
  to: string
  /** The moment of the end, as the database had it. */
  at: string
}

/** What is this server's own, or is made again when a server starts: it has no place in a copy. */
const left = new Set(
  [
    'postmaster.pid',
    'postmaster.opts',
    'pg_internal.init',
    'backup_label',
    'tablespace_map',
  ].concat(['recovery.signal', 'standby.signal', 'postgresql.auto.conf.tmp', 'current_logfiles']),
)
const emptied = new Set(
  ['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial', 'pg_snapshots'].concat([
    'pg_stat_tmp',
    'pg_subtrans',
    'pgsql_tmp',
    'archive_status',
  ]),
)

/** Copies the database that the owner's address leads to into a folder that does not exist yet. */
export async function takeBackup(url: string, folder: string): Promise<Backup> {
  await using driver = new SQL({ url, max: 1, idleTimeout: 0, maxLifetime: 0 })
  // One session from start to stop: with it go the backup and the slot, and one that is reserved is
  // never put on a new connection.
  const session = await driver.reserve()
  try {
    const [server] = await session`
      select current_setting('data_directory') as dir,
             current_setting('server_version_num')::int / 10000 as major,
             exists (select from pg_tablespace where spcname !~ '^pg_') as spread`
    refuseElsewhere(server)
    // The log that the copy needs is kept until it is copied, however long that takes.
    const slot = `backup_${process.pid}`
    await session`select pg_create_physical_replication_slot(${slot}, true, true)`
    const [start] = await session`
      select lsn::text, pg_walfile_name(lsn) as file from pg_backup_start('house', true) as lsn`
    await copyFolder(server.dir, folder)
    const [stop] = await session`
      select lsn::text, pg_walfile_name(lsn) as file, labelfile as label,
             to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
        from pg_backup_stop(false)`
    await writeFile(path.join(folder, 'backup_label'), stop.label, { mode: 0o600 })
    await copyLog(path.join(server.dir, 'pg_wal'), path.join(folder, 'pg_wal'), start, stop)
    // Until here the slot has kept every file of the log: the session still stands.
    await session`select pg_drop_replication_slot(${slot})`
    return { major: String(server.major), from: start.lsn, to: stop.lsn, at: stop.at }
  } finally {
    session.release()
  }
}

type Server = { dir: string; spread: boolean }

function refuseElsewhere({ dir, spread }: Server): void {
  if (!existsSync(path.join(dir, 'PG_VERSION'))) {
    throw new LaunchError(
      `PostgreSQL keeps its files in ${dir}, which cannot be read here. Take the backup on its own machine, or with pg_basebackup.`,
    )
  }
  if (spread) throw new LaunchError('The database has tablespaces. Use pg_basebackup.')
}

/** A file that goes away while it is copied is one that the log tells of. */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (left.has(entry.name) || entry.name.startsWith('pgsql_tmp')) continue
    if (entry.isDirectory()) {
      if (emptied.has(entry.name)) await mkdir(target, { mode: 0o700 })
      else await copyFolder(source, target)
    } else if (entry.isFile()) await copyWhole(source, target)
  }
}

/** Copies a file and has the disk keep it. */
export async function copyWhole(from: string, to: string): Promise<void> {
  const isThere = await copyFile(from, to).then(
    () => true,
    (failure: unknown) => {
      if (isMissing(failure)) return false
      throw failure
    },
  )
  if (!isThere) return
  const handle = await open(to, 'r+')
  await handle.sync().finally(() => handle.close())
}

type Place = { file: string }

async function copyLog(from: string, to: string, start: Place, stop: Place): Promise<void> {
  for (const name of await readdir(from)) {
    const isSegment = /^[0-9A-F]{24}$/.test(name) && name >= start.file && name <= stop.file
    if (isSegment || name.endsWith('.history')) {
      await copyWhole(path.join(from, name), path.join(to, name))
    }
  }
}
