// The handlers of the pages of credentials.
import type { PortalHandler } from '../../context.ts'
import { revoke, showKey } from './key.tsx'
import { showKeys } from './keys.tsx'
import { create, newKey } from './new-key.tsx'
import { rotate, showRotation } from './rotate-key.tsx'

export const credentialHandlers = {
  keys: showKeys,
  newKey,
  createKey: create,
  key: showKey,
  keyRotation: showRotation,
  rotateKey: rotate,
  revokeKey: revoke,
} satisfies Record<string, PortalHandler>
