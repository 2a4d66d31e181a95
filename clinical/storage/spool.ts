// A local file for bytes before they're stored. The spool counts and hashes the bytes, and syncs
// them to disk.

import { open, rm } from 'node:fs/promises'
import { type LocalFile, type Spool, StorageUnavailable } from './storage.ts'

/** Creates a new file that only this user can read. */
export async function openSpool(path: string): Promise<Spool> {
  const handle = await open(path, 'wx', 0o600)
  const md5 = new Bun.CryptoHasher('md5')
  const sha256 = new Bun.CryptoHasher('sha256')
  let size = 0
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await handle.close()
  }
  return {
    path,
    async write(bytes) {
      for (let at = 0; at < bytes.length;) {
        const { bytesWritten } = await handle.write(bytes, at).catch(diskFailed)
        at += bytesWritten
      }
      size += bytes.length
      md5.update(bytes)
      sha256.update(bytes)
    },
    async end(): Promise<LocalFile> {
      await handle.sync().catch(diskFailed)
      await close()
      return { path, size, md5: md5.digest('base64'), sha256: sha256.digest('base64') }
    },
    async discard() {
      await close()
      await rm(path, { force: true })
    },
  }
}

/** A full or failing disk is reported to the operator, and the client may retry. */
const diskFailed = (cause: unknown): never => {
  throw new StorageUnavailable('the disk refuses writes', { cause })
}
