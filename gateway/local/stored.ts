// `dev.json`: what a developer needs to call and sign in to a local platform. Each start reads what
// an earlier one stored. The file is searched as text, so a damaged file counts as missing.
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { LocalAccess } from '#auth/accounts/local-person.ts'
import { modeOf } from '#auth/tokens.ts'
import type { Mode } from '#contract/operation.ts'

export const accessFile = (dataDir: string): string => path.join(dataDir, 'dev.json')

/** Replaces the file in one step. Only its owner may read it. */
export function storeAccess(dataDir: string, access: object): void {
  const file = accessFile(dataDir)
  writeFileSync(`${file}.new`, `${JSON.stringify(access, null, 2)}\n`, { mode: 0o600 })
  chmodSync(`${file}.new`, 0o600)
  renameSync(`${file}.new`, file)
}

/** Adds to the file's content, or replaces a damaged file. */
export function addAccess(dataDir: string, access: object): void {
  storeAccess(dataDir, { ...contentOf(dataDir), ...access })
}

function contentOf(dataDir: string): object {
  try {
    return Object(JSON.parse(textOf(dataDir)))
  } catch {
    return {}
  }
}

export function storedKey(dataDir: string, mode: Mode): string | null {
  const key = new RegExp(`svc_sk_${mode}_\\w+`).exec(textOf(dataDir))?.[0] ?? ''
  return modeOf(key) === mode ? key : null
}

export function storedPerson(dataDir: string, name: string): LocalAccess | null {
  const text = textOf(dataDir)
  const object = new RegExp(`"${name}": \\{([^{}]*)\\}`).exec(text)?.[1] ?? ''
  const value = (member: string, form: string) =>
    new RegExp(`"${member}": "(${form})"`).exec(object)?.[1] ?? null
  const [email, password, secret] = [
    value('email', '[^"\\\\]+'),
    value('password', '[\\w-]{20}'),
    value('totp_secret', '[A-Z2-7]{32}'),
  ]
  if (email === null || password === null || secret === null) return null
  return { email, password, totp_secret: secret }
}

function textOf(dataDir: string): string {
  const file = accessFile(dataDir)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
