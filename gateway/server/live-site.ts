// Serves the build currently in the site's folder. When a deployment switches the folder, the new
// build is loaded and swapped in with one assignment, so each request is served from one build.
import { existsSync, lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import path from 'node:path'
import { LaunchError } from '#database/launch-error.ts'
import { termsOf } from '#content/ranking/question.ts'
import { loadRankingAsync } from '#content/ranking/rank.ts'
import { loadCatalog } from '../search/catalog.ts'
import type { Log } from '#http/log.ts'
import { type Build, openBuild } from '../search/endpoints.ts'
import type { FinishFiles } from '../static/files.ts'
import { loadSite } from '../static/static.ts'

export type LiveSite = {
  current(): Build
  /** Whether the current build failed to load, so an older one is served. */
  isRefusing(): boolean
  stop(): void
}

/** Each check reads one file's metadata, which takes about ten microseconds. */
export const checkMilliseconds = 1000

/** Throws if no valid build exists at startup. Later, an invalid build is ignored. */
export async function openLiveSite(
  folder: string,
  log: Pick<Log, 'event'>,
  everyMilliseconds = checkMilliseconds,
  finish?: FinishFiles,
): Promise<LiveSite> {
  let servedStamp = stampOf(folder)
  let current = await loadBuild(folder, finish)
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOpen = true
  let isRefusing = false
  let isUnreadable = false
  const refuse = (build: string, failure: unknown) => {
    const reason = failure instanceof Error ? failure.message : String(failure)
    log.event('site.refused', { build, reason })
  }
  const check = async () => {
    const stamp = stampOf(folder)
    isUnreadable = false
    // Between an in-place build's two renames, the folder is missing. The next check finds the
    // folder.
    if (stamp === undefined || stamp === servedStamp) return
    const began = performance.now()
    try {
      const next = await loadBuild(folder, finish)
      // The folder was switched during the read, so the read may have mixed two builds.
      if (stampOf(folder) !== stamp) return
      current = next
      isRefusing = false
      const ms = Math.round(performance.now() - began)
      log.event('site.switched', { build: nameOf(folder), ms })
    } catch (failure) {
      if (stampOf(folder) !== stamp) return
      isRefusing = true
      refuse(nameOf(folder), failure)
    }
    // Each build is tried and logged once.
    servedStamp = stamp
  }
  /** If the disk doesn't respond, the loaded build stays in use. */
  const fail = (failure: unknown) => {
    if (!isUnreadable) refuse(folder, failure)
    isUnreadable = true
  }
  const schedule = () => {
    const again = () => void check().catch(fail).finally(schedule)
    if (isOpen) timer = setTimeout(again, everyMilliseconds).unref()
  }
  schedule()
  const stop = () => {
    isOpen = false
    clearTimeout(timer)
  }
  return { current: () => current, isRefusing: () => isRefusing || isUnreadable, stop }
}

/** Every build writes this file last, so its inode and time identify the build. */
function stampOf(folder: string): string | undefined {
  const record = statSync(path.join(folder, 'build.json'), { throwIfNoEntry: false })
  return record && `${record.dev} ${record.ino} ${record.mtimeMs}`
}

/** The link's target, which tells the operator which of the deployed folders this build is. */
function nameOf(folder: string): string {
  const link = lstatSync(folder, { throwIfNoEntry: false })
  return link?.isSymbolicLink() === true ? path.resolve(folder, '..', readlinkSync(folder)) : folder
}

async function loadBuild(folder: string, finish?: FinishFiles): Promise<Build> {
  // Resolves the link once, so switching it can't mix two builds.
  const build = nameOf(folder)
  const search = path.join(build, 'catalog', 'search.json')
  if (!existsSync(search)) {
    throw new LaunchError(
      `${search} doesn't exist. \`npm start\` builds the site, or set SITE_DIR to the folder of a built site.`,
    )
  }
  const site = loadSite(build, finish)
  // Yields between the files and the index, so requests can be handled in between.
  await Bun.sleep(0)
  const rank = await loadRankingAsync(readFileSync(search, 'utf8'))
  // Tries one question, because an index from another version may load and then fail on its first
  // question.
  rank(termsOf('how does a consult work'), 1)
  return openBuild(site, rank, loadCatalog(site.text))
}
