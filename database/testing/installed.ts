// A test's own PostgreSQL server, with the schema. Roles and settings belong to a whole server, so
// tests that change them can't share the test server. Each server starts on a copy of one data
// directory, because creating one takes three seconds of processor time.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { SQL } from 'bun'
import { type Embedded, type EmbeddedOptions, startEmbedded } from '../embedded/server.ts'
import { waitForLock } from '../lock.ts'
import { migrate, readMigrations } from '../migrate.ts'
import { home, makeHome } from './home.ts'

const initialPassword = 'the password of every copy until it starts'

/** Created once for each version of the migrations. */
async function template(): Promise<string> {
  makeHome()
  const hasher = new Bun.CryptoHasher('sha256')
  for (const { sha256 } of readMigrations()) hasher.update(sha256)
  const folder = path.join(home, `installed-${hasher.digest('hex').slice(0, 16)}`)
  const lock = await waitForLock(path.join(home, 'installed.lock'), 120)
  try {
    if (!existsSync(folder)) {
      const unfinished = `${folder}.new`
      rmSync(unfinished, { recursive: true, force: true })
      mkdirSync(unfinished)
      const dir = path.join(unfinished, 'postgres')
      const server = await startEmbedded({
        dir,
        password: initialPassword,
        durable: false,
        watch: false,
      })
      const owner = new SQL(server.url, { max: 1 })
      await migrate(owner)
      await owner.close()
      await server.stop()
      renameSync(unfinished, folder)
    }
  } finally {
    lock?.release()
  }
  return path.join(folder, 'postgres')
}

export async function startInstalled(options: EmbeddedOptions): Promise<Embedded> {
  mkdirSync(path.dirname(options.dir), { recursive: true })
  const copied = Bun.spawnSync(['cp', '-a', await template(), options.dir])
  if (copied.exitCode !== 0) throw new Error(copied.stderr.toString())
  const server = await startEmbedded({ ...options, password: initialPassword })
  await using owner = new SQL(server.url, { max: 1 })
  await owner.unsafe(`alter role app password '${options.password}'`)
  const written = encodeURIComponent(options.password)
  return Object.assign(server, {
    url: server.url.replace(encodeURIComponent(initialPassword), written),
  })
}
