// What the rest of the room asks of files: storage, and the addresses under which bytes are sent
// and fetched. In live these may be storage's own; everything else comes through our own door.

import { limits } from '#contract/limits.ts'
import type { Principal } from '#auth/principal.ts'
import { keepsUploads } from '../modes.ts'
import type { Mime } from './sniff.ts'
import { type Direct, type Storage, uploaded } from '../storage/storage.ts'
import { openTokens, type Tokens } from './tokens.ts'

export type Files = {
  readonly storage: Storage
  readonly tokens: Tokens
  /** Where an object's bytes are to be sent, and with which headers. `{id}` in a header stands for
   *  the file's id, which is not known before it is written. */
  reserve(caller: Caller, object: string, mime: Mime, size: number | null): Promise<Direct>
}

type Caller = Pick<Principal, 'mode' | 'tenant'>

export function openFiles(storage: Storage, secret: string, base: string): Files {
  const tokens = openTokens(secret)
  return {
    storage,
    tokens,
    async reserve({ mode, tenant }, object, mime, size) {
      const upload = { mime, size, seconds: limits.reservationSeconds }
      const direct = keepsUploads(mode)
        ? await storage.direct(uploaded(mode, object), upload)
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
