// The secrets of this house, from what it was given or made for itself.
import { forEachRole, roleName, type RolePasswords } from '#database/roles.ts'
import type { Config } from './config.ts'
import type { Secrets } from './secrets.ts'

/** What API keys are hashed under: chosen by whoever runs the house, or made on the first start. */
export const pepperOf = (config: Config, secrets: Secrets): string =>
  config.keyPepper ?? secrets('keyPepper')

/** Derived: gateways which share a pepper share them too, and never overwrite each other's. */
export function rolePasswords(pepper: string): RolePasswords {
  const derive = (role: string) =>
    new Bun.CryptoHasher('sha256', pepper).update(`password of the role ${role}`).digest('hex')
  return forEachRole(role => derive(roleName(role)))
}

/** What the audit is sealed with: whoever owns the database alone cannot make a seal. */
export const auditSecretOf = (pepper: string): string =>
  new Bun.CryptoHasher('sha256', pepper).update('seal of the audit').digest('hex')

/** What secrets are sealed with in the database: chosen by whoever runs the house, or made here. */
export const encryptionKeysOf = (config: Config, secrets: Secrets): readonly string[] =>
  config.encryptionKeys.length > 0 ? config.encryptionKeys : [secrets('sealKey')]
