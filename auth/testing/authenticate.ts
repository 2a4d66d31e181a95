// How tests look a caller up: at the door, where it is remembered, and whole where that is shut.

import type { Connection } from '#database/pool.ts'
import { StaleCredential, guardConnection } from '../guard.ts'
import {
  type Credential,
  findCredential,
  presentedCredential,
  type Presented,
  type CredentialCache,
} from '../principal.ts'

export async function authenticateWithCache(
  connection: Connection,
  pepper: string,
  presented: Presented,
  credentialCache?: CredentialCache,
): Promise<Credential | null> {
  const asked = presentedCredential(pepper, presented)
  const before = credentialCache?.get(asked.name)
  if (before) {
    try {
      await guardConnection(connection, before).query(guard => guard)
      return before.credential
    } catch (failure) {
      if (!(failure instanceof StaleCredential)) throw failure
    }
  }
  return (await findCredential(connection, asked, credentialCache))?.credential ?? null
}
