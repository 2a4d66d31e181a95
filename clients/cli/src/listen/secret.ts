// The secret that signs forwarded events: a new secret for each run, or a secret stored in a file.

import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { usage } from '../errors.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Creates a secret in the format of an endpoint's secret. Skips bytes above the largest
 *  multiple of 62, which would favor some letters. */
export function newSecret(): string {
  const letters: string[] = []
  while (letters.length < 32) {
    for (const byte of randomBytes(48)) {
      if (byte < 248 && letters.length < 32) letters.push(alphabet.charAt(byte % 62))
    }
  }
  return `whsec_${letters.join('')}`
}

const form = /^whsec_[0-9A-Za-z]{32}$/

function fileOf(text: string): string {
  if (text.startsWith('@') && text.length > 1) return text.slice(1)
  throw usage('--secret must be @file', 'A secret on the command line stays in your shell history.')
}

function read(file: string): string {
  const secret = readFileSync(file, 'utf8').trim()
  if (form.test(secret)) return secret
  throw usage(`${file} must be a secret starting with whsec_`, 'Delete it to create a new one.')
}

/** Returns a new secret or the file's. Creates the file if it's missing. */
export function secretFor(text: string | undefined): string {
  if (text === undefined) return newSecret()
  const file = fileOf(text)
  if (existsSync(file)) return read(file)
  const secret = newSecret()
  writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx' })
  return secret
}

export function secretIn(text: string | undefined): string {
  if (text !== undefined) return secretFor(text)
  throw usage(
    '--print-secret needs --secret @file or the setting listen.secret_file',
    'Otherwise each run prints a new secret when it starts.',
  )
}
