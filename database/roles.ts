// The platform's database roles: names, URLs and passwords. The roles own nothing
// (migrations/0001_platform.sql), so a stolen password can't change a table.
import { pbkdf2Sync } from 'node:crypto'
import { SQL } from 'bun'
import { sqlState } from './failures.ts'
import { LaunchError } from './launch-error.ts'
import { randomBytes } from './clock.ts'
import { retryWhileAway } from './retry.ts'

/** The roles without their prefix `app_`. Migrations create the roles. */
const roles = [
  'test',
  'live',
  'console',
  'pharmacy',
  'site',
  'auth',
  'worker_test',
  'worker_live',
] as const
export type Role = (typeof roles)[number]
/** Several passwords, newest first, while one is being replaced. The role has one of these
 *  passwords. */
export type RolePasswords = Readonly<Record<Role, string | readonly string[]>>
export type RoleUrls = Readonly<Record<Role, string>>

export const roleName = (role: Role) => `app_${role}` as const

export const forEachRole = <T>(valueOf: (role: Role) => T): Readonly<Record<Role, T>> =>
  Object.fromEntries(roles.map(role => [role, valueOf(role)])) as Record<Role, T>

const iterations = 4096
const attemptsMax = 20

export const workerUrls = (urls: RoleUrls) => ({ test: urls.worker_test, live: urls.worker_live })

/** The owner's URL with another user and password, and the same host, database and options. */
export function roleUrls(ownerUrl: string, passwords: RolePasswords): RoleUrls {
  return forEachRole(role => {
    const url = new URL(ownerUrl)
    const [newest = '', ...older] = [passwords[role]].flat()
    url.username = roleName(role)
    url.password = encodeURIComponent(newest)
    // The driver doesn't read the hash: `driverAddress` removes it.
    url.hash = older.map(encodeURIComponent).join(',')
    return url.href
  })
}

/** How the driver connects to a URL. If the URL has several passwords, each new connection tests
 *  which one the role currently has, so a password may change while a gateway runs. */
export function driverAddress(address: string) {
  const url = new URL(address)
  const older = url.hash.slice(1)
  if (older === '') return { url: address }
  url.hash = ''
  const passwords = [url.password, ...older.split(',')].map(decodeURIComponent)
  return { url: url.href, password: () => acceptedPassword(url.href, passwords) }
}

async function acceptedPassword(address: string, passwords: readonly string[]): Promise<string> {
  for (const password of passwords) {
    const url = new URL(address)
    url.password = encodeURIComponent(password)
    // If the database is unreachable, the connection itself reports that.
    if (await logsIn(url.href).catch(() => false)) return password
  }
  return passwords[0] ?? ''
}

/** Sets the passwords of roles that can't log in with them yet, and returns the URLs. */
export const openRoles = (ownerUrl: string, passwords: RolePasswords): Promise<RoleUrls> =>
  // The database and the platform are often started together. A URL where nothing responds is more
  // likely wrong, so it gets less time.
  retryWhileAway(
    () => prepareRoles(ownerUrl, passwords),
    failure => (sqlState(failure) === null ? 15 : 30),
  )

async function prepareRoles(ownerUrl: string, passwords: RolePasswords): Promise<RoleUrls> {
  const urls = roleUrls(ownerUrl, passwords)
  // The passwords are checked first, so this function also succeeds if the owner may not alter
  // roles and the passwords were set by hand.
  const ready = await Promise.all(roles.map(role => logsIn(urls[role])))
  for (const [at, role] of roles.entries()) {
    const [newest = ''] = [passwords[role]].flat()
    if (ready[at] !== true) await givePassword(ownerUrl, roleName(role), newest)
  }
  return urls
}

/** Whether a role has its URL's password. */
export async function logsIn(url: string): Promise<boolean> {
  await using sql = new SQL({ ...driverAddress(url), max: 1, connectionTimeout: 10 })
  try {
    await sql`select 1`
    return true
  } catch (failure) {
    // Wrong or missing password, unknown role, or a role that may not log in.
    if (['28P01', '28000'].includes(sqlState(failure) ?? '')) return false
    throw failure
  }
}

export async function givePassword(
  ownerUrl: string,
  role: string,
  password: string,
): Promise<void> {
  await using sql = new SQL(ownerUrl, { max: 1, connectionTimeout: 10 })
  const [row] = await sql`
    select format('alter role %I login password %L', ${role}::text,
                  ${verifierOf(password)}::text) as statement`
  for (let attempt = 1; ; attempt++) {
    try {
      await sql.unsafe(row.statement)
      return
    } catch (failure) {
      // Roles belong to the whole server, so another gateway may be altering the same role ("tuple
      // concurrently updated", XX000).
      if (sqlState(failure) === 'XX000' && attempt < attemptsMax) {
        await Bun.sleep(10 * attempt)
        continue
      }
      const reason = failure instanceof Error ? failure.message : String(failure)
      throw new LaunchError(`The password of the role ${role} could not be set: ${reason}`, {
        cause: failure,
      })
    }
  }
}

/** The verifier that PostgreSQL stores for SCRAM-SHA-256 (RFC 5802). Computed here, so the password
 *  itself can't appear in the server's log. */
export function verifierOf(password: string, salt: Uint8Array = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const hmac = (text: string) => new Bun.CryptoHasher('sha256', salted).update(text).digest()
  const stored = new Bun.CryptoHasher('sha256').update(hmac('Client Key')).digest('base64')
  const server = Buffer.from(hmac('Server Key')).toString('base64')
  const salting = `${iterations}:${Buffer.from(salt).toString('base64')}`
  return `SCRAM-SHA-256$${salting}$${stored}:${server}`
}
