// Storage, and the URLs for uploads and downloads. In live an upload URL may be one that storage
// signed; all others are endpoints of the gateway.

import { limits } from '#contract/limits.ts'
import type { Peppers } from '#auth/pepper.ts'
import type { Principal } from '#auth/principal.ts'
import { keepsUploads } from '../modes.ts'
import type { Mime } from './sniff.ts'
import { type Direct, type Storage, uploadKey } from '../storage/storage.ts'
import { openViewer, type Viewer } from '../viewer/viewer.ts'
import { openTokens, type Tokens } from './tokens.ts'

export type Files = {
  readonly storage: Storage
  readonly tokens: Tokens
  /** Shows documents as images. */
  readonly viewer: Viewer
  /** The upload URL of an object and the headers to send. `{id}` in a header stands for the file's
   *  id, which is not known before the row is inserted. */
  reserve(caller: Caller, object: string, mime: Mime, size: number | null): Promise<Direct>
}

type Caller = Pick<Principal, 'mode' | 'tenant'>

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
