// Handlers for the credentials pages.
import type { PortalHandler } from '../../context.ts'
import { showAccess } from './access.tsx'
import * as client from './client.tsx'
import { showClients } from './clients.tsx'
import { revoke, showKey } from './key.tsx'
import { showKeys } from './keys.tsx'
import { endAccess, showMemberAccess } from './member-access.tsx'
import * as clientForm from './new-client.tsx'
import { create, newKey } from './new-key.tsx'
import { addSecret, newSecret } from './new-secret.tsx'
import { rotate, showRotation } from './rotate-key.tsx'

export const credentialHandlers = {
  keys: showKeys,
  newKey,
  createKey: create,
  key: showKey,
  keyRotation: showRotation,
  rotateKey: rotate,
  revokeKey: revoke,
  clients: showClients,
  newClient: clientForm.newClient,
  createClient: clientForm.create,
  client: client.showClient,
  newSecret,
  addSecret,
  revokeSecret: client.revokeSecret,
  endTokens: client.endTokens,
  revokeClient: client.revoke,
  access: showAccess,
  memberAccess: showMemberAccess,
  endAccess,
} satisfies Record<string, PortalHandler>
