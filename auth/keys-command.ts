// The command `npm run admin -- keys`, which receives the database connection and pepper as
// arguments.
import { parseArgs } from 'node:util'
import { limits } from '#contract/limits.ts'
import { allScopes } from '#contract/scopes.ts'
import type { Connection } from '#database/pool.ts'
import { createKey, revokeKeyOf, rotateKey } from './administration.ts'
import { countOutdated, listOutdated } from './pepper.ts'
import {
  findKeyMode,
  issueKey,
  type KeyRow,
  listKeys,
  nameDevelopers,
  openIntegration,
  supersedeAgreements,
} from './integrations.ts'
import {
  actOfOperator,
  type CommandContext,
  CommandFault,
  integrationFrom,
  modeFrom,
  nameFrom,
  refusals,
  scopeLines,
  scopesFrom,
  unknownCommand,
} from './operator.ts'

export const keysHelp = `Usage:
  npm run admin -- keys list
  npm run admin -- keys open --name "Another brand"
  npm run admin -- keys create --name "Nightly export" [--mode test|live] [--integration int_…]
      [--scopes patients:read,events:read] [--expires 2030-01-01]
  npm run admin -- keys rotate key_… [--overlap now|1h|24h|7d]
  npm run admin -- keys revoke key_…
  npm run admin -- keys developers dev@brand.example [--integration int_…]
  npm run admin -- keys agreement 2027-01-01

open creates an integration with its own sandbox, and prints a test key with every scope.
create prints a new key once; only its hash is stored. By default it's a test key with every
scope and no expiration. --integration is optional if there's only one.
rotate prints a successor with the same scopes. The old key works for 24 more hours, or --overlap.
revoke takes effect on the key's next request.
developers sets who is emailed about failing webhooks; none removes the address.
agreement sets the newest version of the business associate agreement. Integrations with an older
version have ${limits.agreementGraceDays} days to accept it, and are then refused in live mode.

Scopes:
${scopeLines}`

/** Runs one command and returns what to print. */
export async function keysCommand(args: string[], context: CommandContext): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      mode: { type: 'string' },
      scopes: { type: 'string' },
      integration: { type: 'string' },
      expires: { type: 'string' },
      overlap: { type: 'string' },
    },
  })
  const [command, ...rest] = positionals
  if (command === 'list' && rest.length === 0) {
    const keys = list(await listKeys(context.connection), context.now)
    return [keys, ...(await outdated(context))].join('\n\n')
  }
  if (command === 'open' && rest.length === 0) return open(context, values)
  if (command === 'create' && rest.length === 0) return create(context, values)
  if (command === 'rotate' && rest.length === 1) return rotate(context, rest[0] ?? '', values)
  if (command === 'revoke' && rest.length === 1) return revoke(context.connection, rest[0] ?? '')
  if (command === 'developers' && rest.length === 1) {
    return developers(context.connection, rest[0] ?? '', values)
  }
  if (command === 'agreement' && rest.length === 1)
    return agreement(context.connection, rest[0] ?? '')
  throw unknownCommand(positionals)
}

function list(keys: readonly KeyRow[], now: number): string {
  if (keys.length === 0)
    return 'No keys yet. Create one with `npm run admin -- keys create --name "…"`.'
  const stateOf = (key: KeyRow) => {
    if (key.revoked_at) return `revoked ${key.revoked_at.slice(0, 10)}`
    if (!key.expires_at) return 'active'
    const [end, day] = [Date.parse(key.expires_at), key.expires_at.slice(0, 10)]
    if (key.replaced_by) {
      return end > now ? `replaced, until ${key.expires_at.slice(0, 16)}Z` : `replaced ${day}`
    }
    return end > now ? `active until ${day}` : `expired ${day}`
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

/** Counts the credentials that must be rehashed or replaced before an old pepper is dropped. */
async function outdated(context: CommandContext): Promise<string[]> {
  const { connection, peppers } = context
  const { older, lost } = await countOutdated(connection, peppers)
  const credentials = (count: number) => `${count} credential${count === 1 ? ' is' : 's are'}`
  return [
    ...(peppers.length === 1
      ? []
      : older === 0
        ? ['Every credential uses the newest pepper. You can remove the older one from KEY_PEPPER.']
        : [`${credentials(older)} still under an older pepper until their next use.`]),
    ...(lost > 0
      ? [`${credentials(lost)} under a pepper that isn't in KEY_PEPPER, and can't be used.`]
      : []),
    ...(older + lost > 0 ? [await namesOf(context)] : []),
  ]
}

const namedMax = 100

/** Names the outdated credentials, so their owners can be asked to use or replace them. */
async function namesOf({ connection, peppers }: CommandContext): Promise<string> {
  const names = await listOutdated(connection, peppers, namedMax + 1)
  const more = names.length > namedMax ? ['  and more'] : []
  return [...names.slice(0, namedMax).map(name => `  ${name}`), ...more].join('\n')
}

type Flag = 'name' | 'mode' | 'scopes' | 'integration' | 'expires' | 'overlap'
type Flags = Partial<Record<Flag, string>>

/** Creates another integration, which is isolated from the others. */
async function open({ connection, peppers }: CommandContext, flags: Flags): Promise<string> {
  const name = nameFrom(
    flags.name,
    'the integration a --name of 1 to 200 characters, such as the brand',
  )
  const { integration } = await openIntegration(connection, name)
  const { id, key } = await issueKey(connection, peppers[0], {
    integration,
    mode: 'test',
    name: 'first',
  })
  return `${key}\n\nThis is ${id} for ${integration}. The key is shown only this once.`
}

async function create(
  { connection, peppers, now: today }: CommandContext,
  flags: Flags,
): Promise<string> {
  const name = nameFrom(
    flags.name,
    'the key a --name of 1 to 200 characters that says what it is for',
  )
  const mode = modeFrom(flags.mode)
  const scopes = scopesFrom(flags.scopes)
  const expiresAt = expiryFrom(flags.expires, today)
  const integration = await integrationFrom(connection, flags.integration)
  const asked = { integration, mode, name, scopes, expiresAt }
  const made = await createKey(connection, peppers[0], asked, actOfOperator())
  if (made.refusal !== null) throw new CommandFault(refusals[made.refusal])
  return `${made.key}\n\nThis is ${made.id}. The key is shown only this once.`
}

function expiryFrom(text: string | undefined, now: number): string | null {
  if (text === undefined) return null
  const isMoment = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/
  const moment = isMoment.test(text) ? Date.parse(text) : Number.NaN
  // JavaScript reads a nonexistent day, such as February 31, as another day.
  const day = new Date(text.slice(0, 10)).getUTCDate()
  if (Number.isNaN(moment) || day !== Number(text.slice(8, 10))) {
    throw new CommandFault(`--expires must be a date, such as 2030-01-01, not "${text}".`)
  }
  if (moment <= now) throw new CommandFault(`--expires must be in the future, not ${text}.`)
  return new Date(moment).toISOString()
}

const overlaps: Readonly<Record<string, number>> = {
  now: 0,
  '1h': 3600,
  '24h': 86_400,
  '7d': 604_800,
}

async function rotate(
  { connection, peppers }: CommandContext,
  id: string,
  { overlap = '24h' }: Flags,
): Promise<string> {
  const overlapSeconds = overlaps[overlap]
  if (overlapSeconds === undefined) {
    const known = Object.keys(overlaps).join(', ')
    throw new CommandFault(`--overlap must be one of ${known}, not "${overlap}".`)
  }
  const mode = await findKeyMode(connection, id)
  if (mode === null) throw noActiveKey(id)
  const asked = { id, integration: null, mode, overlapSeconds }
  const made = await rotateKey(connection, peppers[0], asked, actOfOperator())
  if (made.refusal === 'not_found') throw noActiveKey(id)
  if (made.refusal !== null) throw new CommandFault(refusals[made.refusal])
  const old = overlapSeconds === 0 ? 'no longer works' : `works for ${overlap} more`
  return `${made.key}\n\nThis is ${made.id}. The key is shown only this once. ${id} ${old}.`
}

const noActiveKey = (id: string) =>
  new CommandFault(`No active key has the ID ${id}. See: npm run admin -- keys list`)

async function revoke(connection: Connection, id: string): Promise<string> {
  const { refusal } = await revokeKeyOf(connection, id, null, actOfOperator())
  if (refusal === null) return `Revoked ${id}.`
  throw noActiveKey(id)
}

async function developers(connection: Connection, given: string, flags: Flags): Promise<string> {
  const email = given === 'none' ? null : given
  if (given.length > 254 || (email !== null && !/^[^\s@<>,"]+@[^\s@<>,"]+$/.test(email))) {
    throw new CommandFault(
      `The address must be an email address, such as dev@brand.example, or "none", not "${given}".`,
    )
  }
  const integration = await integrationFrom(connection, flags.integration)
  await nameDevelopers(connection, integration, email)
  return email === null
    ? `No one is emailed when ${integration}'s webhooks fail.`
    : `We email ${email} when ${integration}'s webhooks fail.`
}

async function agreement(connection: Connection, version: string): Promise<string> {
  if (!/^\d{4}-\d\d-\d\d$/.test(version)) {
    throw new CommandFault(`The version must be the agreement's date, such as 2027-01-01.`)
  }
  const whose = await supersedeAgreements(connection, version)
  const days = `${limits.agreementGraceDays} days to accept ${version}`
  if (whose.length === 0) return `No integration still has an older agreement.`
  return [`These integrations have ${days}:`, ...whose.map(id => `  ${id}`)].join('\n')
}
