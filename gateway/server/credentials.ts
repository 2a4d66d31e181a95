// The secrets of this installation: configured, generated, or derived from the pepper.
import { forEachRole, roleName, type RolePasswords } from '#database/roles.ts'
import { type SigningKey, signingKey } from '../signing/keys.ts'
import type { Config } from './config.ts'
import type { Secrets } from './secrets.ts'

/** The pepper that API keys are hashed with: configured, or generated on the first start. */
export const pepperOf = (config: Config, secrets: Secrets): string =>
  config.keyPepper ?? secrets('keyPepper')

/** Derived from the pepper, so gateways that share it never overwrite each other's passwords. */
export function rolePasswords(pepper: string): RolePasswords {
  const derive = (role: string) =>
    new Bun.CryptoHasher('sha256', pepper).update(`password of the role ${role}`).digest('hex')
  return forEachRole(role => derive(roleName(role)))
}

/** Signs the audit log: access to the database alone is not enough to forge a signature. */
export const auditSecretOf = (pepper: string): string =>
  new Bun.CryptoHasher('sha256', pepper).update('signature of the audit log').digest('hex')

/**
 * The keys that sign the agent card and the catalogs, the newest first: those configured, and the
 * one that follows from the pepper, which signs where none is configured.
 */
export const signingKeysOf = (config: Config, pepper: string): [SigningKey, ...SigningKey[]] => {
  const [first = pepper, ...others] = [...config.signingKeys, pepper]
  return [signingKey(first), ...others.map(signingKey)]
}

/** The keys that encrypt secrets in the database: configured, or generated on the first start. */
export const encryptionKeysOf = (config: Config, secrets: Secrets): readonly string[] =>
  config.encryptionKeys.length > 0 ? config.encryptionKeys : [secrets('sealKey')]
