// The folder of builds: one folder for each, named by when it was published, and the link `current`
// to the one that is served. One publication at a time works in it.
import { Database } from 'bun:sqlite'
import { appendFileSync, existsSync, renameSync, statSync } from 'node:fs'
import { readdir, readlink, rename, rm, symlink } from 'node:fs/promises'
import path from 'node:path'

const waitMinutesMax = 15
const logBytesMax = 1024 * 1024

export class Publication {
  readonly began = stamp()
  readonly say: (line: string) => void
  readonly said: string[] = []

  constructor(readonly sites: string) {
    const log = path.join(sites, 'publish.log')
    if (existsSync(log) && statSync(log).size > logBytesMax) renameSync(log, `${log}.1`)
    this.say = line => {
      this.said.push(line)
      process.stdout.write(`publish: ${line}\n`)
      // The one who pushed reads the lines once; whoever is called at night reads them here.
      appendFileSync(log, `${new Date().toISOString()} ${line}\n`)
    }
  }

  /** Sorted, the names of builds are the order in which they went live. */
  nameFor(commit: string | undefined): string {
    return commit === undefined ? stamp() : `${stamp()}-${commit.slice(0, 10)}`
  }

  async stage(name: string, work: () => Promise<string | undefined | void>): Promise<void> {
    const from = performance.now()
    const detail = await work()
    const seconds = ((performance.now() - from) / 1000).toFixed(1)
    this.say(`${name} in ${seconds} s${detail === undefined ? '' : ` (${detail})`}`)
  }

  /** Clears what a publication left behind that was killed. */
  async sweep(): Promise<void> {
    const left = (await readdir(this.sites)).filter(name => name.startsWith('.new-'))
    for (const name of left) await rm(path.join(this.sites, name), { recursive: true, force: true })
  }

  async prune(keep: number): Promise<void> {
    const current = await currentBuild(this.sites)
    const old = (await buildsIn(this.sites)).slice(0, -keep).filter(name => name !== current)
    for (const name of old) await rm(path.join(this.sites, name), { recursive: true, force: true })
    if (old.length > 0) this.say(`removed ${old.join(', ')}`)
  }

  async back(): Promise<void> {
    const current = await currentBuild(this.sites)
    const before = (await buildsIn(this.sites)).findLast(name => name < (current ?? ''))
    if (before === undefined) throw new Error('There is no build before the current one.')
    await switchTo(this.sites, before)
    this.say(`live: ${before}, back from ${current}; the next push goes forward again`)
  }
}

/** The time in a form that sorts, and that every file system takes. */
function stamp(): string {
  return new Date().toISOString().replaceAll(':', '-').replace('.', '-')
}

async function buildsIn(sites: string): Promise<string[]> {
  return (await readdir(sites)).filter(name => /^\d{4}-\d\d-\d\dT/.test(name)).sort()
}

/** The name of the build that is served. */
export async function currentBuild(sites: string): Promise<string | undefined> {
  const link = path.join(sites, 'current')
  return existsSync(link) ? path.basename(await readlink(link)) : undefined
}

/** A rename over the old link: whoever opens `current` finds the one build or the other. */
export async function switchTo(sites: string, name: string): Promise<void> {
  const link = path.join(sites, '.new-current')
  await rm(link, { force: true })
  await symlink(name, link)
  await rename(link, path.join(sites, 'current'))
}

/**
 * One at a time, in the order in which they come. The lock is SQLite's, which the kernel lets go
 * of however its holder ends, so there is never a stale one to clear.
 */
export async function takeTurn({ sites, say }: Publication): Promise<{ release(): void }> {
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
    if (tries === 0) say('waiting for the publication that is under way')
    await Bun.sleep(100)
  }
}
