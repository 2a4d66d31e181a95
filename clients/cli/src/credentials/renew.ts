// Renews a login's access token. Only one process at a time requests a new token, because a reused
// refresh token looks stolen; other processes read the stored token.

import { closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { wait } from '../api/client.ts'
import { now } from '../environment.ts'
import { CommandError } from '../errors.ts'
import { reach } from '../network.ts'
import type { TokenCredential } from './credential.ts'
import { refresh } from './oauth.ts'
import type { CredentialStore } from './store.ts'

/** A lock older than this was left by a killed process. */
const staleMs = 30_000

function locks(file: string): boolean {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  try {
    closeSync(openSync(file, 'wx', 0o600))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  // The lock may be removed between the two calls.
  const age = now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now())
  if (age > staleMs) rmSync(file, { force: true })
  return false
}

async function alone<T>(file: string, work: () => Promise<T>): Promise<T> {
  while (!locks(file)) await wait(50)
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

export const renewed = (
  old: TokenCredential,
  store: CredentialStore,
  lock: string,
): Promise<TokenCredential> =>
  alone(lock, async () => {
    const stored = await store.read()
    if (stored?.kind === 'token' && stored.accessToken !== old.accessToken) return stored
    const next = await refresh(reach, old, now())
    if (!next) {
      throw new CommandError('notLoggedIn', 'your login expired', 'Run `svc login` again.')
    }
    await store.write(next)
    return next
  })
