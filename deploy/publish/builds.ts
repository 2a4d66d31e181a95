// The builds folder: each build is in a folder named by its publication time, and the link
// `current` points to the build being served. Only one publication at a time uses the folder.
import { Database } from 'bun:sqlite'
import { appendFileSync, existsSync, renameSync, statSync } from 'node:fs'
import { readdir, readlink, rename, rm, symlink } from 'node:fs/promises'
import path from 'node:path'

const waitMinutesMax = 15
const logBytesMax = 1024 * 1024

export class Publication {
  readonly log: (line: string) => void
  readonly lines: string[] = []

  constructor(readonly sites: string) {
    const file = path.join(sites, 'publish.log')
    if (existsSync(file) && statSync(file).size > logBytesMax) renameSync(file, `${file}.1`)
    this.log = line => {
      this.lines.push(line)
      process.stdout.write(`publish: ${line}\n`)
      // Keeps the lines for operators, because only the pusher sees the output.
      appendFileSync(file, `${new Date().toISOString()} ${line}\n`)
    }
  }

  /** Names sort in publication order. */
  nameFor(commit: string | undefined): string {
    return commit === undefined ? stamp() : `${stamp()}-${commit.slice(0, 10)}`
  }

  async stage(name: string, work: () => Promise<string | undefined | void>): Promise<void> {
    const started = performance.now()
    const detail = await work()
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    this.log(`${name} in ${seconds} s${detail === undefined ? '' : ` (${detail})`}`)
  }

  /** Removes what a killed publication left behind. */
  async removeUnfinished(): Promise<void> {
    const left = (await readdir(this.sites)).filter(name => name.startsWith('.new-'))
    for (const name of left) await rm(path.join(this.sites, name), { recursive: true, force: true })
  }

  async prune(keep: number): Promise<void> {
    const current = await currentBuild(this.sites)
    const old = (await buildsIn(this.sites)).slice(0, -keep).filter(name => name !== current)
    for (const name of old) await rm(path.join(this.sites, name), { recursive: true, force: true })
    if (old.length > 0) this.log(`removed ${old.join(', ')}`)
  }

  async rollBack(): Promise<void> {
    const current = await currentBuild(this.sites)
    const before = (await buildsIn(this.sites)).findLast(name => name < (current ?? ''))
    if (before === undefined) throw new Error("There's no build before the current one.")
    await switchTo(this.sites, before)
    this.log(`live: ${before}, rolled back from ${current}; the next push publishes again`)
  }
}

/** The current time as text that sorts and is a valid file name on every system. */
function stamp(): string {
  return new Date().toISOString().replaceAll(':', '-').replace('.', '-')
}

async function buildsIn(sites: string): Promise<string[]> {
  return (await readdir(sites)).filter(name => /^\d{4}-\d\d-\d\dT/.test(name)).sort()
}

/** The name of the build that is being served. */
export async function currentBuild(sites: string): Promise<string | undefined> {
  const link = path.join(sites, 'current')
  return existsSync(link) ? path.basename(await readlink(link)) : undefined
}

/** Renames a new link over the old link, so `current` always points to a complete build. */
export async function switchTo(sites: string, name: string): Promise<void> {
  const link = path.join(sites, '.new-current')
  await rm(link, { force: true })
  await symlink(name, link)
  await rename(link, path.join(sites, 'current'))
}

/**
 * Allows one publication at a time. The lock is SQLite's. The kernel releases the lock however its
 * process ends, so the lock is never stale.
 */
export async function lock({ sites, log }: Publication): Promise<{ release(): void }> {
  const deadline = performance.now() + waitMinutesMax * 60_000
  for (let tries = 0; ; tries++) {
    const database = new Database(path.join(sites, '.lock'), { create: true })
    database.run('pragma busy_timeout = 0')
    try {
      database.run('begin exclusive')
      return { release: () => database.close() }
    } catch (error) {
      database.close()
      const isBusy = error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY'
      if (!isBusy || performance.now() > deadline) throw error
    }
    if (tries === 0) log('waiting for another publication to finish')
    await Bun.sleep(100)
  }
}
