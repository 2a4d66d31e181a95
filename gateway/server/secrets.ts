// Secrets that nobody chose: made on first use, kept in one file that only its owner may read.
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Answers the secret of that name; the same one each time, from one start to the next. */
export type Secrets = (name: string) => string

export function openSecrets(dataDir: string): Secrets {
  const file = path.join(dataDir, 'secrets.json')
  const kept: Record<string, string> = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : {}
  return name => {
    const known = kept[name]
    if (known !== undefined) return known
    const made = randomBytes(32).toString('base64url')
    kept[name] = made
    mkdirSync(dataDir, { recursive: true })
    // Renamed into place: a start cut short leaves the old file, never half of a new one.
    writeFileSync(`${file}.new`, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 })
    chmodSync(`${file}.new`, 0o600)
    renameSync(`${file}.new`, file)
    return made
  }
}
