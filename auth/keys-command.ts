// The command `bun run keys`, with the database connection and the pepper as arguments.
import { parseArgs } from 'node:util'
import { limits } from '#contract/limits.ts'
import { allScopes, isScope, type Scope } from '#contract/scopes.ts'
import type { Connection, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { newId } from './ids.ts'
import { createKey, type Act, type RefusedChange, revokeKeyOf } from './administration.ts'
import { countOutdated, type Peppers } from './pepper.ts'
import {
  issueKey,
  type KeyRow,
  listKeys,
  nameDevelopers,
  openIntegration,
  supersedeAgreements,
} from './integrations.ts'
import type { Mode } from '#contract/operation.ts'

export const keysHelp = `Usage:
  npm run keys -- list
  npm run keys -- open --name "Another brand"
  npm run keys -- mint --name "Nightly export" [--mode test|live] [--scopes patients:read,events:read]
                       [--integration int_…] [--expires 2027-01-01]
  npm run keys -- revoke key_…
  npm run keys -- developers dev@brand.example [--integration int_…]
  npm run keys -- agreement 2027-01-01

open makes an integration with a sandbox of its own, and prints a test key that holds all scopes.
mint prints the key once; only its hash is stored. Without --mode it is a test key, without --scopes
it holds all twelve, without --expires it does not expire. --integration may be left out while there
is only one. revoke ends a key with its next call. developers sets the email address for notices
about failing webhooks of an integration; none removes it. agreement sets the newest version of the
business associate agreement: integrations with an older one have ${limits.agreementGraceDays} days to accept it, and are then
refused in live mode.

Scopes: ${allScopes.join(', ')}`

/** A command that cannot be run; the message is for the operator. */
export class KeysFault extends Error {
  override name = 'KeysFault'
}

export type KeysContext = { connection: Connection; peppers: Peppers; now: number }

/** Runs one command and returns what to print. */
export async function keysCommand(args: string[], context: KeysContext): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      mode: { type: 'string' },
      scopes: { type: 'string' },
      integration: { type: 'string' },
      expires: { type: 'string' },
    },
  })
  const [command, ...rest] = positionals
  if (command === 'list' && rest.length === 0) {
    const keys = list(await listKeys(context.connection), context.now)
    return [keys, ...(await outdated(context))].join('\n\n')
  }
  if (command === 'open' && rest.length === 0) return open(context, values)
  if (command === 'mint' && rest.length === 0) return mint(context, values)
  if (command === 'revoke' && rest.length === 1) return revoke(context.connection, rest[0] ?? '')
  if (command === 'developers' && rest.length === 1) {
    return developers(context.connection, rest[0] ?? '', values)
  }
  if (command === 'agreement' && rest.length === 1)
    return agreement(context.connection, rest[0] ?? '')
  const reason = positionals.length > 0 ? `"${positionals.join(' ')}" is not a command.\n\n` : ''
  throw new KeysFault(`${reason}${keysHelp}`)
}

function list(keys: readonly KeyRow[], now: number): string {
  if (keys.length === 0) return 'There are no keys. `npm run keys -- mint --name "…"` makes one.'
  const stateOf = (key: KeyRow) => {
    if (key.revoked_at) return `revoked ${key.revoked_at.slice(0, 10)}`
    if (!key.expires_at) return 'active'
    const day = key.expires_at.slice(0, 10)
    return Date.parse(key.expires_at) > now ? `active until ${day}` : `expired ${day}`
  }
  return keys
    .map(key => {
      const scopes = key.scopes.length === allScopes.length ? 'all scopes' : key.scopes.join(',')
      const used = key.last_used_at ? `used ${key.last_used_at.slice(0, 16)}Z` : 'never used'
      const shown = `svc_sk_${key.mode}_…${key.last4}`
      return [key.id, shown, stateOf(key), used, key.integration, scopes, key.name].join('  ')
    })
    .join('\n')
}

/** What an operator who replaces the pepper waits for. */
async function outdated({ connection, peppers }: KeysContext): Promise<string[]> {
  const { older, lost } = await countOutdated(connection, peppers)
  const credentials = (count: number) => `${count} credential${count === 1 ? ' is' : 's are'}`
  return [
    ...(peppers.length === 1
      ? []
      : older === 0
        ? ['Every credential is under the newest pepper: the older can be removed from KEY_PEPPER.']
        : [`${credentials(older)} still under an older pepper, until used again.`]),
    ...(lost > 0
      ? [`${credentials(lost)} under a pepper that is not in KEY_PEPPER, and cannot be used.`]
      : []),
  ]
}

/** The act of a command, for the audit. */
export const actOfOperator = (): Act => ({
  surface: 'cli',
  request: newId('request'),
})

export const refusals: Record<RefusedChange, string> = {
  unknown_integration: 'There is no such integration, or it is suspended.',
  unknown_scope: `The scopes must be some of ${allScopes.join(', ')}.`,
  agreement_required:
    'Live mode needs a business associate agreement in force. An owner of the integration accepts it.',
  grant_required: 'Live mode needs a clinic that granted the integration access in live mode.',
  expired: 'The expiry must be in the future.',
  not_found: 'There is none of that id that is active.',
  two_secrets: 'A client has two secrets at most. Revoke one first.',
  already_accepted: 'This version of the agreement is accepted already.',
}

type Flags = Partial<Record<'name' | 'mode' | 'scopes' | 'integration' | 'expires', string>>

/** Opens another integration, which is isolated from the others. */
async function open({ connection, peppers }: KeysContext, flags: Flags): Promise<string> {
  const name = nameFrom(flags.name, 'the integration a --name of 1 to 200 characters: whose it is')
  const { integration } = await openIntegration(connection, name)
  const { id, key } = await issueKey(connection, peppers[0], {
    integration,
    mode: 'test',
    name: 'first',
  })
  return `${key}\n\nThis is ${id} of ${integration}, and the only time that the key itself is shown.`
}

export function nameFrom(text: string | undefined, what: string): string {
  const name = text?.trim() ?? ''
  if (name.length >= 1 && name.length <= 200) return name
  throw new KeysFault(`Give ${what}.`)
}

async function mint(
  { connection, peppers, now: today }: KeysContext,
  flags: Flags,
): Promise<string> {
  const name = nameFrom(flags.name, 'the key a --name of 1 to 200 characters: what it is for')
  const mode = modeFrom(flags.mode)
  const scopes = scopesFrom(flags.scopes)
  const expiresAt = expiryFrom(flags.expires, today)
  const integration = await integrationFrom(connection, flags.integration)
  const asked = { integration, mode, name, scopes, expiresAt }
  const made = await createKey(connection, peppers[0], asked, actOfOperator())
  if (made.refusal !== null) throw new KeysFault(refusals[made.refusal])
  return `${made.key}\n\nThis is ${made.id}, and the only time that the key itself is shown.`
}

export function modeFrom(text = 'test'): Mode {
  if (text === 'test' || text === 'live') return text
  throw new KeysFault(`--mode is test or live, and not "${text}".`)
}

export function scopesFrom(text: string | undefined): readonly Scope[] {
  if (text === undefined) return allScopes
  const words = text
    .split(',')
    .map(word => word.trim())
    .filter(Boolean)
  const unknown = words.find(word => !isScope(word))
  if (unknown !== undefined || words.length === 0) {
    const reason =
      unknown === undefined
        ? '--scopes must name a scope.'
        : `--scopes must not contain "${unknown}".`
    throw new KeysFault(`${reason} The scopes are ${allScopes.join(', ')}.`)
  }
  return allScopes.filter(scope => words.includes(scope))
}

function expiryFrom(text: string | undefined, now: number): string | null {
  if (text === undefined) return null
  const isMoment = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/
  const moment = isMoment.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(moment) || !new Date(moment).toISOString().startsWith(text.slice(0, 7))) {
    throw new KeysFault(`--expires must be a date, such as 2027-01-01, not "${text}".`)
  }
  if (moment <= now) throw new KeysFault(`--expires must be in the future, not ${text}.`)
  return new Date(moment).toISOString()
}

type IntegrationRow = Row & { id: string; name: string }

export async function integrationFrom(
  connection: Connection,
  id: string | undefined,
): Promise<string> {
  const rows = await connection.run<IntegrationRow>(
    sql`select id, name from auth.integrations order by id limit 1000`,
  )
  const found = id === undefined ? rows : rows.filter(row => row.id === id)
  const [only, ...others] = found
  if (only && others.length === 0) return only.id
  if (rows.length === 0) throw new KeysFault('There is no integration yet. `npm start` makes one.')
  const reason = id === undefined ? 'Name one with --integration' : `There is no ${id}`
  throw new KeysFault(`${reason}:\n${rows.map(({ id, name }) => `  ${id}  ${name}`).join('\n')}`)
}

async function revoke(connection: Connection, id: string): Promise<string> {
  const { refusal } = await revokeKeyOf(connection, id, null, actOfOperator())
  if (refusal === null) return `${id} is revoked.`
  throw new KeysFault(`There is no active key ${id}. \`npm run keys -- list\` shows them.`)
}

async function developers(connection: Connection, given: string, flags: Flags): Promise<string> {
  const email = given === 'none' ? null : given
  if (given.length > 254 || (email !== null && !/^[^\s@<>,"]+@[^\s@<>,"]+$/.test(email))) {
    throw new KeysFault(
      `The address must be an email address, such as dev@brand.example, or "none", not "${given}".`,
    )
  }
  const integration = await integrationFrom(connection, flags.integration)
  await nameDevelopers(connection, integration, email)
  return email === null
    ? `No email is sent when webhooks of ${integration} fail.`
    : `An email is sent to ${email} when webhooks of ${integration} fail.`
}

async function agreement(connection: Connection, version: string): Promise<string> {
  if (!/^\d{4}-\d\d-\d\d$/.test(version)) {
    throw new KeysFault(`The version must be the date of the agreement, such as 2027-01-01.`)
  }
  const whose = await supersedeAgreements(connection, version)
  const days = `${limits.agreementGraceDays} days to accept ${version}`
  if (whose.length === 0) return `No integration has an older agreement without an end.`
  return [`These integrations have ${days}:`, ...whose.map(id => `  ${id}`)].join('\n')
}
