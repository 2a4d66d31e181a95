// Secrets that the operator didn't set. The secrets are generated on first use, and kept in one
// file that only its owner can read.
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Returns the secret with this name, which stays the same across restarts. */
export type Secrets = (name: string) => string

export function openSecrets(dataDir: string): Secrets {
  const file = path.join(dataDir, 'secrets.json')
  const stored: Record<string, string> = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : {}
  return name => {
    const existing = stored[name]
    if (existing !== undefined) return existing
    const created = randomBytes(32).toString('base64url')
    stored[name] = created
    mkdirSync(dataDir, { recursive: true })
    // Renamed into place, so an interrupted start leaves the old file and never a partial one.
    writeFileSync(`${file}.new`, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 })
    chmodSync(`${file}.new`, 0o600)
    renameSync(`${file}.new`, file)
    return created
  }
}
