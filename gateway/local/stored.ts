// Values that an earlier start stored in `dev.json`. The file is searched as text, so a damaged
// file counts as missing.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { LocalAccess } from '#auth/accounts/local-person.ts'
import { modeOf } from '#auth/tokens.ts'
import type { Mode } from '#contract/operation.ts'

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
  const file = path.join(dataDir, 'dev.json')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
