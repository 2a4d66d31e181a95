// The site is whichever build lies at its folder now. A deploy switches the folder; this notices,
// loads the new build and replaces the old one in one assignment, so a request is answered from one
// build from its first byte to its last.
import { existsSync, lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import path from 'node:path'
import { LaunchError } from '#database/launch-error.ts'
import { loadAskAsync } from '../search/ask.ts'
import { loadCatalog } from '../search/catalog.ts'
import type { Log } from '#http/log.ts'
import { type Build, openBuild } from '../search/endpoints.ts'
import { loadSite } from './static.ts'

export type LiveSite = {
  current(): Build
  /** Whether the build that lies there now is not the one that is served. */
  isRefusing(): boolean
  stop(): void
}

/** One look at one file, some ten microseconds of each second. */
const lookMilliseconds = 1000

/** Throws where there is no build to begin with; later, one that does not load changes nothing. */
export async function openLiveSite(
  folder: string,
  log: Pick<Log, 'event'>,
  everyMilliseconds = lookMilliseconds,
): Promise<LiveSite> {
  let seen = stampOf(folder)
  let current = await loadBuild(folder)
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOpen = true
  let isRefusing = false
  const look = async () => {
    const stamp = stampOf(folder)
    // Between the two renames of a build in place there is nothing; the next look finds it whole.
    if (stamp === undefined || stamp === seen) return
    const began = performance.now()
    try {
      const next = await loadBuild(folder)
      // Switched again while it was read: what was read may be half of each.
      if (stampOf(folder) !== stamp) return
      current = next
      isRefusing = false
      const ms = Math.round(performance.now() - began)
      log.event('site.switched', { build: nameOf(folder), ms })
    } catch (failure) {
      if (stampOf(folder) !== stamp) return
      const reason = failure instanceof Error ? failure.message : String(failure)
      isRefusing = true
      log.event('site.refused', { build: nameOf(folder), reason })
    }
    // Refused or taken, this build has been looked at: neither is said twice.
    seen = stamp
  }
  const lookAgain = () => {
    if (isOpen) timer = setTimeout(() => void look().finally(lookAgain), everyMilliseconds).unref()
  }
  lookAgain()
  const stop = () => {
    isOpen = false
    clearTimeout(timer)
  }
  return { current: () => current, isRefusing: () => isRefusing, stop }
}

/** Every build writes this file anew and last: its inode and time tell one build from the next. */
function stampOf(folder: string): string | undefined {
  const record = statSync(path.join(folder, 'build.json'), { throwIfNoEntry: false })
  return record && `${record.dev} ${record.ino} ${record.mtimeMs}`
}

/** Where the link leads, which is what a person compares with the folders of the deploy. */
function nameOf(folder: string): string {
  const link = lstatSync(folder, { throwIfNoEntry: false })
  return link?.isSymbolicLink() === true ? path.resolve(folder, '..', readlinkSync(folder)) : folder
}

async function loadBuild(folder: string): Promise<Build> {
  // Resolved once, so that a link that is switched meanwhile cannot mix two builds.
  const build = nameOf(folder)
  const search = path.join(build, 'catalog', 'search.json')
  if (!existsSync(search)) {
    throw new LaunchError(
      `${search} is missing. \`npm start\` builds the site, unless SITE_DIR says where another is.`,
    )
  }
  const site = loadSite(build)
  // A breath between the files and the index, so that nobody waits for both.
  await Bun.sleep(0)
  const ask = await loadAskAsync(readFileSync(search, 'utf8'))
  // An index of another version may load and then fail at the first question, which is this one.
  ask('how does a consult work', { limit: 1 })
  return openBuild(site, ask, loadCatalog(site.text))
}
