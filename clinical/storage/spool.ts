// Bytes on their way into storage: counted, digested and on the disk before anybody hears of them.

import { open, rm } from 'node:fs/promises'
import { type LocalFile, type Spool, StorageAway } from './storage.ts'

/** A file that did not exist a moment ago and that nobody else may read. */
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
        const { bytesWritten } = await handle.write(bytes, at).catch(full)
        at += bytesWritten
      }
      size += bytes.length
      md5.update(bytes)
      sha256.update(bytes)
    },
    async end(): Promise<LocalFile> {
      await handle.sync().catch(full)
      await close()
      return { path, size, md5: md5.digest('base64'), sha256: sha256.digest('base64') }
    },
    async discard() {
      await close()
      await rm(path, { force: true })
    },
  }
}

/** No room, or a disk that fails: whoever runs the house is told, and the call may come again. */
const full = (cause: unknown): never => {
  throw new StorageAway('the disk does not take what is written', { cause })
}
