// The house as its guests know it: an address, a key, and nothing else.
import { readFileSync } from 'node:fs'
import path from 'node:path'

export const root = path.dirname(import.meta.dirname)

/** Where a stranger would stand who types what the README says: `.data` lies below it. */
export const standpoint = path.join(root, '.data', 'e2e')
export const dataDir = path.join(standpoint, '.data')

export function door(): { url: string; key: string } {
  const said: unknown = JSON.parse(readFileSync(path.join(dataDir, 'dev.json'), 'utf8'))
  if (typeof said === 'object' && said !== null && 'url' in said && 'key' in said) {
    return { url: String(said.url), key: String(said.key) }
  }
  throw new Error('dev.json names no address and no key.')
}

/** The pages that exist. The articles among them are those that the sitemap lists. */
export const lost = '/no-such-page'
export const article = '/blog/webhooks-you-can-trust'

/** Pages name the host that the public sees; here the house stands elsewhere. */
export function pathOf(address: string): string {
  const { pathname, search } = new URL(address, 'https://example.com')
  return pathname + search
}
