// Stores logins in the keychain, or in a file only its owner can read. Each profile has its own
// entry, so two logins don't overwrite each other.

import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { CommandError } from '../errors.ts'
import type { Settings, TokenStore } from '../settings/settings.ts'
import { type Credential, parseCredential } from './credential.ts'
import { deleteKeychain, readKeychain, unavailable, writeKeychain } from './keychain.ts'

export type SavedLogin = { readonly store: Exclude<TokenStore, 'none'>; readonly place: string }

export type CredentialStore = {
  read(): Promise<Credential | undefined>
  /** Returns where the credential was stored. */
  write(credential: Credential): Promise<SavedLogin>
  /** Returns whether there was a credential to remove. */
  remove(): Promise<boolean>
}

const fileName = 'credentials.json'

type Entries = Record<string, string>

function entriesIn(file: string): Entries {
  if (!existsSync(file)) return {}
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Entries
  } catch {
    throw new CommandError('failed', `${file} is damaged`, 'Delete it, then run `svc login`.')
  }
}

function writeEntries(file: string, entries: Entries): void {
  if (Object.keys(entries).length === 0) return rmSync(file, { force: true })
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.new`, `${JSON.stringify(entries, null, 1)}\n`, { mode: 0o600 })
  // A file left by an interrupted process may have another mode.
  chmodSync(`${file}.new`, 0o600)
  renameSync(`${file}.new`, file)
}

export const storedProfiles = (settings: Settings): string[] =>
  Object.keys(entriesIn(settings.folder(fileName)))

export function openStore(settings: Settings, profile = settings.profile): CredentialStore {
  const file = settings.folder(fileName)
  const account = `${profile} ${settings.configFile}`
  const wanted = settings.tokenStore
  const inFile = () => entriesIn(file)[profile]
  // A marker entry in the file says that the keychain has the credential, so a machine without a
  // login never queries the keychain, which is slow.
  const marker = 'keychain'
  return {
    async read() {
      if (wanted === 'none') return undefined
      const text = inFile()
      if (text === undefined) return undefined
      if (text !== marker) return parseCredential(text)
      const answer = await readKeychain(account)
      if (answer === unavailable) {
        throw new CommandError(
          'notLoggedIn',
          "the keychain has your login but didn't respond",
          'Unlock it, or run `svc login --token-store file`.',
        )
      }
      return answer === null ? undefined : parseCredential(answer)
    },
    async write(credential) {
      const text = JSON.stringify(credential)
      const isKept = wanted !== 'file' && (await writeKeychain(account, text)) === true
      if (!isKept && wanted === 'keychain') {
        throw new CommandError(
          'failed',
          "couldn't use the system keychain",
          'Use --token-store file to save the login in a file only you can read.',
        )
      }
      writeEntries(file, { ...entriesIn(file), [profile]: isKept ? marker : text })
      return isKept ? { store: 'keychain', place: 'the keychain' } : { store: 'file', place: file }
    },
    async remove() {
      const { [profile]: text, ...rest } = entriesIn(file)
      if (text === marker) await deleteKeychain(account)
      writeEntries(file, rest)
      return text !== undefined
    },
  }
}
