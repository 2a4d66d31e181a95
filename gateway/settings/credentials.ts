// This installation's secrets: configured, generated, or derived from the peppers.
import type { Peppers } from '#auth/pepper.ts'
import { forEachRole, roleName, type RolePasswords } from '#database/roles.ts'
import { type SigningKey, signingKey } from '../signing/keys.ts'
import type { Config } from './config.ts'
import type { Secrets } from './secrets.ts'

/** The peppers for hashing credentials, newest first: the configured ones, or the one generated on
 *  the first start. */
export function peppersOf(config: Config, secrets: Secrets): Peppers {
  const [newest = secrets('keyPepper'), ...older] = config.keyPeppers
  return [newest, ...older]
}

/** Role passwords are derived from the peppers, so gateways that share a pepper never overwrite
 *  each other's. Any pepper's password is accepted, so a role keeps its first pepper's password
 *  until no gateway has that pepper. */
export function rolePasswords(...peppers: Peppers): RolePasswords {
  const derive = (pepper: string, role: string) =>
    new Bun.CryptoHasher('sha256', pepper).update(`password of the role ${role}`).digest('hex')
  const [newest, ...older] = peppers
  return forEachRole(role => [
    derive(newest, roleName(role)),
    ...older.map(pepper => derive(pepper, roleName(role))),
  ])
}

/** The key that signs the audit log. The key isn't in the database, so access to the database isn't
 *  enough to forge a signature. */
export const auditSecretOf = (pepper: string): string =>
  new Bun.CryptoHasher('sha256', pepper).update('signature of the audit log').digest('hex')

/** The keys that sign the agent card and the catalogs, newest first: the configured ones, then
 *  those derived from the peppers. If none is configured, the first pepper's key signs. */
export const signingKeysOf = (config: Config, peppers: Peppers): [SigningKey, ...SigningKey[]] => {
  const [first = peppers[0], ...others] = [...config.signingKeys, ...peppers]
  return [signingKey(first), ...others.map(signingKey)]
}

/** The keys that encrypt secrets in the database: configured, or generated on the first start. */
export const encryptionKeysOf = (config: Config, secrets: Secrets): readonly string[] =>
  config.encryptionKeys.length > 0 ? config.encryptionKeys : [secrets('sealKey')]
