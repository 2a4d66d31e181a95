// A backup becomes a database again: as it was when the backup ended, or, with the archive of the
// log that was written since, as it was at any moment after.
import { existsSync } from 'node:fs'
import { cp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Embedded, startEmbedded } from './embedded.ts'
import { LaunchError } from './launch-error.ts'
import { giveTo, prepareNative } from './native.ts'

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

/** Answers the server on the restored database. Whoever asked stops it. */
export async function restoreBackup(asked: Restoring): Promise<Embedded> {
  const { from, password, archive, until } = asked
  const dir = path.resolve(asked.dir)
  if (existsSync(dir))
    throw new LaunchError(`There is something in ${dir}. Restore into a new folder.`)
  if (!existsSync(path.join(from, 'backup_label'))) {
    throw new LaunchError(`${from} is not a backup of a database.`)
  }
  const unfinished = `${dir}.new`
  await rm(unfinished, { recursive: true, force: true })
  await cp(from, unfinished, { recursive: true })
  if (archive !== undefined) await writeFile(path.join(unfinished, 'recovery.signal'), '')
  const { account } = await prepareNative(dir)
  await giveTo(account, unfinished)
  for (const name of await readdir(unfinished, { recursive: true })) {
    await giveTo(account, path.join(unfinished, name))
  }
  await rename(unfinished, dir)
  const settings = archive === undefined ? {} : readingOf(archive, until)
  return startEmbedded({ dir, password, settings, watch: false, readySeconds: readySecondsMax })
}

function readingOf(archive: string, until: string | undefined): Record<string, string> {
  return {
    restore_command: `cp "${path.resolve(archive)}/%f" "%p"`,
    recovery_target_action: 'promote',
    ...(until === undefined ? {} : { recovery_target_time: until }),
  }
}
