// Storage, and the URLs for uploads and downloads. A live upload URL may be a URL that storage
// signed; all other URLs are gateway endpoints.

import { limits } from '#contract/limits.ts'
import type { Peppers } from '#auth/pepper.ts'
import { keepsUploads } from '../modes.ts'
import type { Files } from '../services.ts'
import { type Storage, uploadKey } from '../storage/storage.ts'
import { openViewer } from '../viewer/viewer.ts'
import { openTokens } from '../tokens.ts'

export function openFiles(storage: Storage, secrets: Peppers, base: string): Files {
  const tokens = openTokens(...secrets)
  return {
    storage,
    tokens,
    viewer: openViewer(),
    async reserve({ mode, tenant }, object, mime, size) {
      const upload = { mime, size, seconds: limits.reservationSeconds }
      const direct = keepsUploads(mode)
        ? await storage.direct(uploadKey(mode, object), upload)
        : null
      return (
        direct ?? {
          url: `${base}/uploads/${tokens.encrypt({ kind: 'upload', mode, tenant, object })}`,
          headers: {
            'Content-Type': mime,
            ...(size === null ? {} : { 'Content-Length': String(size) }),
            'X-Upload-Reservation': '{id}',
          },
        }
      )
    },
  }
}
