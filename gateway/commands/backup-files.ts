// A backup's documents, which are files next to the database's, each with its digest.
import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { copyDurably } from '#database/backup/backup.ts'

/** SHA-256 digests by path. */
export type Digests = Record<string, string>

const digestOf = async (file: string): Promise<string> => {
  const hasher = new Bun.CryptoHasher('sha256')
  for await (const bytes of Bun.file(file).stream()) hasher.update(bytes)
  return hasher.digest('hex')
}

/** Copies all documents except uploads in progress, which have no row yet, and documents that are
 *  deleted during the copy. */
export async function copyFiles(from: string, to: string): Promise<Digests> {
  const digests: Digests = {}
  if (!existsSync(from)) return digests
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    const source = path.join(entry.parentPath, entry.name)
    const name = path.relative(from, source)
    if (!entry.isFile() || name.startsWith(`aside${path.sep}`)) continue
    const target = path.join(to, name)
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 })
    await copyDurably(source, target)
    if (existsSync(target)) digests[name] = await digestOf(target)
  }
  return digests
}

/** Paths whose file is missing or has a different digest. */
export async function damagedIn(folder: string, digests: Digests): Promise<string[]> {
  const damaged: string[] = []
  for (const [name, digest] of Object.entries(digests)) {
    const file = path.join(folder, name)
    if (!existsSync(file) || (await digestOf(file)) !== digest) damaged.push(name)
  }
  return damaged
}
