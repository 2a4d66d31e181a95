// Restores a backup as of its end or, with the log archived since then, as of any later time.
import { existsSync } from 'node:fs'
import { cp, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Embedded, startEmbedded } from '../embedded/server.ts'
import { LaunchError } from '../launch-error.ts'
import { giveTo, prepareNative } from '../embedded/native.ts'
import { createFolder } from './create-folder.ts'

type Restoring = {
  /** The folder written by takeBackup. */
  from: string
  /** The new data directory, which must not exist yet. */
  dir: string
  /** The superuser's password when the backup was taken. */
  password: string
  /** The folder with the archived log, and the time up to which it's replayed. */
  archive?: string | undefined
  until?: string | undefined
  /** When the backup ended. There's no earlier state to restore to. */
  takenAt: string
}

/** Time limit for replaying an archive. A night's log takes minutes. */
const readySecondsMax = 24 * 3600

/** Restores under another name, lets `check` examine the database, and then renames the folder. A
 *  failed restore leaves only PostgreSQL's log. */
export async function restoreBackup<T>(
  { from, password, archive, until, takenAt, ...asked }: Restoring,
  check: (server: Embedded) => Promise<T>,
): Promise<T> {
  const dir = path.resolve(asked.dir)
  if (existsSync(dir)) {
    throw new LaunchError(`The folder ${dir} must not exist. Restore into a new folder.`)
  }
  if (!existsSync(path.join(from, 'backup_label'))) {
    throw new LaunchError(`${from} must be a backup folder, which contains a file backup_label.`)
  }
  // PostgreSQL treats a missing archive as an empty one.
  if (archive !== undefined && !existsSync(archive)) {
    throw new LaunchError(`The archive folder ${archive} must exist.`)
  }
  const settings = archive === undefined ? {} : readingOf(archive, until)
  if (until !== undefined && Date.parse(until) < Date.parse(takenAt)) {
    throw new LaunchError(
      `--until must be after this backup ended, at ${takenAt}. Restore an earlier backup instead.`,
    )
  }
  return createFolder(dir, async unfinished => {
    await cp(from, unfinished, { recursive: true })
    if (archive !== undefined) await writeFile(path.join(unfinished, 'recovery.signal'), '')
    const { account } = await prepareNative(dir)
    await giveTo(account, unfinished)
    for (const name of await readdir(unfinished, { recursive: true })) {
      await giveTo(account, path.join(unfinished, name))
    }
    const timing = { watch: false, readySeconds: readySecondsMax }
    const server = await startEmbedded({ dir: unfinished, password, settings, ...timing }).catch(
      (failure: unknown) => {
        throw endsEarly(failure) ? new LaunchError(shortOf(archive, until)) : failure
      },
    )
    return check(server).finally(() => server.stop())
  })
}

/** PostgreSQL's error if its log ends before the requested time. */
const endsEarly = (failure: unknown) =>
  failure instanceof LaunchError && failure.message.includes('before configured recovery target')

const shortOf = (archive = '', until = '') =>
  `The archived log ends before ${until}. To replay all of it, leave out --until. If ${archive} lacks later files, copy them there first.`

function readingOf(archive: string, until: string | undefined): Record<string, string> {
  return {
    restore_command: `cp "${path.resolve(archive)}/%f" "%p"`,
    recovery_target_action: 'promote',
    // The server accepts no connections, and isn't ready, until it reaches the recovery target.
    hot_standby: 'off',
    ...(until === undefined ? {} : { recovery_target_time: momentOf(until) }),
  }
}

/** The time in a form that PostgreSQL can parse before it knows the names of time zones, including
 *  Z. */
function momentOf(until: string): string {
  const moment = Date.parse(until)
  if (Number.isNaN(moment) || !/(Z|[+-]\d\d(:?\d\d)?)$/i.test(until)) {
    throw new LaunchError('--until must be a time with its offset, such as 2026-11-21T03:00:00Z.')
  }
  return new Date(moment).toISOString().replace('T', ' ').replace('Z', '+00')
}
