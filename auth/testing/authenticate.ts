// Authenticates in tests, with the guard if the credential is cached, otherwise with a full lookup.

import type { Connection } from '#database/pool.ts'
import { StaleCredential, guardConnection } from '../guard.ts'
import type { Peppers } from '../pepper.ts'
import {
  type Credential,
  findCredential,
  presentedCredential,
  type PresentedToken,
  type CredentialCache,
} from '../principal.ts'
import { verify } from './verify.ts'

export async function authenticateWithCache(
  connection: Connection,
  pepper: string | Peppers,
  presented: PresentedToken,
  credentialCache?: CredentialCache,
): Promise<Credential | null> {
  const credential = presentedCredential(typeof pepper === 'string' ? [pepper] : pepper, presented)
  const cached = credentialCache?.get(credential.name)
  if (cached) {
    try {
      await verify(guardConnection(connection, cached))
      return cached.credential
    } catch (failure) {
      if (!(failure instanceof StaleCredential)) throw failure
    }
  }
  return (await findCredential(connection, credential, credentialCache))?.credential ?? null
}
