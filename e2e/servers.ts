// The server under test, as its users know it: an address and a key.
import { readFileSync } from 'node:fs'
import path from 'node:path'

export const root = path.dirname(import.meta.dirname)

/** The working directory in which the README's commands are run: `.data` is below it. */
export const workingDir = path.join(root, '.data', 'e2e')
export const dataDir = path.join(workingDir, '.data')

export function server(): { url: string; key: string } {
  const access: unknown = JSON.parse(readFileSync(path.join(dataDir, 'dev.json'), 'utf8'))
  if (typeof access === 'object' && access !== null && 'url' in access && 'key' in access) {
    return { url: String(access.url), key: String(access.key) }
  }
  throw new Error('dev.json names no address and no key.')
}

/** A path at which there is no page. */
export const missingPage = '/no-such-page'
export const article = '/blog/webhooks-you-can-trust'

/** Pages name the public host; the tests call the server at another address. */
export function pathOf(address: string): string {
  const { pathname, search } = new URL(address, 'https://example.com')
  return pathname + search
}
