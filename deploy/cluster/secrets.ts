// A cluster's secrets, created once and stored in one file.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Secrets } from './files/platform.ts'

const names: readonly (keyof Secrets)[] = [
  'postgres',
  'replicator',
  'rewind',
  'owner',
  'redis',
  'pepper',
  'seal',
  'bucketKey',
  'bucketSecret',
]

export function openSecrets(file: string): Secrets {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  const fresh = () => Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('hex')
  const secrets = Object.fromEntries(names.map(name => [name, fresh()])) as Secrets
  writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 })
  return secrets
}
