// The system's keychain, through an optional package. Calls time out after two seconds, because on
// a server without a keychain the service may never respond.

import { CommandError } from '../errors.ts'

const service = 'svc'
const patienceMs = 2000

type Entry = {
  getPassword(): Promise<string | null | undefined>
  setPassword(password: string): Promise<unknown>
  deletePassword(): Promise<unknown>
}

export const unavailable = Symbol('the keychain is not available')

async function entryOf(account: string): Promise<Entry> {
  const { AsyncEntry } = await import('@napi-rs/keyring')
  return new AsyncEntry(service, account)
}

/** Returns the work's result, or `unavailable`. */
async function ask<T>(account: string, work: (entry: Entry) => Promise<T>) {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<typeof unavailable>(resolve => {
    timer = setTimeout(resolve, patienceMs, unavailable)
  })
  const asked = entryOf(account)
    .then(work)
    .catch((): typeof unavailable => unavailable)
  const answer = await Promise.race([asked, tooLate])
  clearTimeout(timer)
  return answer
}

/** Returns null if the keychain has no entry. */
export const readKeychain = (account: string) =>
  ask(account, async entry => (await entry.getPassword()) ?? null)

export const writeKeychain = (account: string, text: string) =>
  ask(account, async entry => {
    await entry.setPassword(text)
    // Some keychains accept a secret without storing it.
    if ((await entry.getPassword()) !== text) throw new CommandError('failed', 'not stored')
    return true
  })

export const deleteKeychain = (account: string) =>
  ask(account, async entry => {
    await entry.deletePassword()
    return true
  })
