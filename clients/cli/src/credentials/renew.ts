// Another access token for a login. Several processes may do so at once: the server gives each the
// same successor.

import { now } from '../environment.ts'
import { CommandError } from '../errors.ts'
import type { TokenCredential } from './credential.ts'
import { refresh } from './oauth.ts'
import type { CredentialStore } from './store.ts'

export async function renewed(
  old: TokenCredential,
  store: CredentialStore,
): Promise<TokenCredential> {
  // Another process may have renewed it already.
  const stored = await store.read()
  const isNewer = stored?.kind === 'token' && stored.expiresAt > old.expiresAt
  if (isNewer && stored.expiresAt - now() > 60_000) return stored
  const next = await refresh(fetch, isNewer ? stored : old, now())
  if (!next) {
    throw new CommandError('notLoggedIn', 'the login has ended', 'Run `svc login` again.')
  }
  await store.write(next)
  return next
}
