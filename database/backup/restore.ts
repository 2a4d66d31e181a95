// A backup becomes a database again: as it was when the backup ended, or, with the archive of the
// log that was written since, as it was at any moment after.
import { existsSync } from 'node:fs'
import { cp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Embedded, startEmbedded } from '../embedded/server.ts'
import { LaunchError } from '../launch-error.ts'
import { giveTo, prepareNative } from '../embedded/native.ts'

export type Restoring = {
  /** The copy that takeBackup made. */
  from: string
  /** Where the database is to lie; nothing may be there yet. */
  dir: string
  /** Of the superuser, as it was when the backup was taken. */
  password: string
  /** The folder to which the log was archived, and the moment at which to stop reading it. */
  archive?: string | undefined
  until?: string | undefined
}

/** How long it may take to read an archive; a night of log is read in minutes. */
const readySecondsMax = 24 * 3600

/**
 * Makes the database aside, has `judge` look at it, and then gives it its place. Nothing is left in
 * that place by a restore that fails.
 */
export async function restoreBackup<T>(
  { from, password, archive, until, ...asked }: Restoring,
  judge: (server: Embedded) => Promise<T>,
): Promise<T> {
  const dir = path.resolve(asked.dir)
  if (existsSync(dir)) {
    throw new LaunchError(`There is something in ${dir}. Restore into a new folder.`)
  }
  if (!existsSync(path.join(from, 'backup_label'))) {
    throw new LaunchError(`${from} is not a backup of a database.`)
  }
  // PostgreSQL would take an archive that is not there for one with nothing in it.
  if (archive !== undefined && !existsSync(archive)) {
    throw new LaunchError(`There is no folder ${archive}.`)
  }
  const settings = archive === undefined ? {} : readingOf(archive, until)
  const aside = `${dir}.restoring`
  await rm(aside, { recursive: true, force: true })
  await cp(from, aside, { recursive: true })
  if (archive !== undefined) await writeFile(path.join(aside, 'recovery.signal'), '')
  const { account } = await prepareNative(dir)
  await giveTo(account, aside)
  for (const name of await readdir(aside, { recursive: true })) {
    await giveTo(account, path.join(aside, name))
  }
  const options = { dir: aside, password, settings, watch: false, readySeconds: readySecondsMax }
  const server = await startEmbedded(options)
  const judged = await judge(server).finally(() => server.stop())
  await rename(aside, dir)
  return judged
}

function readingOf(archive: string, until: string | undefined): Record<string, string> {
  return {
    restore_command: `cp "${path.resolve(archive)}/%f" "%p"`,
    recovery_target_action: 'promote',
    // Nobody is let in, and the server does not call itself ready, before it is at its moment.
    hot_standby: 'off',
    ...(until === undefined ? {} : { recovery_target_time: momentOf(until) }),
  }
}

/** As PostgreSQL reads it before it knows any name of a zone, Z included. */
function momentOf(until: string): string {
  const moment = Date.parse(until)
  if (Number.isNaN(moment) || !/(Z|[+-]\d\d(:?\d\d)?)$/i.test(until)) {
    throw new LaunchError('--until takes a moment with its offset, such as 2026-11-21T03:00:00Z.')
  }
  return new Date(moment).toISOString().replace('T', ' ').replace('Z', '+00')
}
