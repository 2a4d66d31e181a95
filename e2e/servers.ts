// The server under test as its users see it: a URL and a key.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

export const root = path.dirname(import.meta.dirname)

/**
 * The folder in which tests run commands from the README and guides. The folder contains `.data`.
 * In a full run, the folder is a link to a fresh checkout (checkout.ts).
 */
export const workingDir = path.join(root, '.data', 'e2e')
export const dataDir = path.join(workingDir, '.data')

/** The URLs of the site and the API, a key, and the other modules' origins. */
export function server() {
  const access: unknown = JSON.parse(readFileSync(path.join(dataDir, 'dev.json'), 'utf8'))
  const texts = new Map(Object.entries(access ?? {}).map(([name, value]) => [name, String(value)]))
  const textOf = (name: string): string => {
    const text = texts.get(name)
    if (text === undefined) throw new Error(`dev.json has no ${name}.`)
    return text
  }
  const [url, key, auth] = [textOf('url'), textOf('key'), textOf('auth_url')]
  const more = {
    portal: textOf('portal_url'),
    console: textOf('console_url'),
    mcp: textOf('mcp_url'),
  }
  return { url, key, auth, ...more, liveKey: textOf('live_key') }
}

/** Runs `npm run admin -- …` on the installation under test, and returns its output. */
export async function admin(...words: string[]): Promise<string> {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', KEY_PEPPER: '' }
  const bun = path.join(root, 'node_modules', '.bin', 'bun')
  const program = ['gateway/commands/admin.ts', ...words]
  return (await promisify(execFile)(bun, program, { cwd: root, env })).stdout
}

export type Shell = Readonly<Record<string, string | undefined>>
export type Newcomer = { folder: string; home: string; uid: number; gid: number }

/** The account that runs commands in the fresh checkout; undefined without a checkout. */
export function newcomer(): Newcomer | undefined {
  if (!existsSync(path.join(workingDir, '.git'))) return undefined
  const folder = realpathSync(workingDir)
  const { uid, gid } = statSync(folder)
  return { folder, home: path.join(path.dirname(folder), 'home'), uid, gid }
}

/** A newcomer's shell: no npm, Bun or platform settings, only what network access needs. */
export function shellOf(home: string, own: Shell) {
  const kept = /^(PATH|LANG|TERM|CI|.*_PROXY|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+)$/i
  const entries = Object.entries(own).filter(([name]) => kept.test(name))
  return { ...Object.fromEntries(entries), HOME: home }
}

/** A path that has no page. */
export const missingPage = '/no-such-page'
export const article = '/blog/webhooks-you-can-trust'

/** A URL's path and query, whatever its host. */
export function pathOf(address: string): string {
  const { pathname, search } = new URL(address, 'https://example.com')
  return pathname + search
}
