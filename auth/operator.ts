// What operator commands share: reading options and printing results.
import type { Mode } from '#contract/operation.ts'
import { allScopes, isScope, type Scope } from '#contract/scopes.ts'
import type { Connection, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import type { RefusedChange } from './administration.ts'
import { newId } from './ids.ts'
import type { Peppers } from './pepper.ts'
import type { Act } from './act.ts'

/** A command that can't run; the message is for the operator. */
export class CommandFault extends Error {
  override name = 'CommandFault'
}

export type CommandContext = { connection: Connection; peppers: Peppers; now: number }

/** Unknown commands print the help after the message. */
export class UsageFault extends CommandFault {
  override name = 'UsageFault'
}

export const unknownCommand = (given: readonly string[]): UsageFault =>
  new UsageFault(`"${given.join(' ')}" is not a command.`)

/** All scopes, for help text 100 columns wide. */
export const scopeLines = allScopes.map(scope => `  ${scope}`).join('\n')

/** A command's act, for the audit. */
export const actOfOperator = (): Act => ({
  surface: 'cli',
  request: newId('request'),
})

export const refusals: Record<RefusedChange, string> = {
  unknown_integration: 'There is no such integration, or it is suspended.',
  unknown_scope: `The scopes must be some of ${allScopes.join(', ')}.`,
  agreement_required:
    'Live mode needs a business associate agreement in effect. An owner of the integration accepts it.',
  grant_required: 'Live mode needs a clinic that granted the integration access in live mode.',
  expired: 'The expiry must be in the future.',
  not_found: 'There is none of that id that is active.',
  two_secrets: 'A client has two secrets at most. Revoke one first.',
  already_rotated: 'The key has a successor that works. Rotate that one.',
  already_sent: 'This was asked before, and is done.',
}

export function nameFrom(text: string | undefined, what: string): string {
  const name = text?.trim() ?? ''
  if (name.length >= 1 && name.length <= 200) return name
  throw new CommandFault(`Give ${what}.`)
}

export function modeFrom(text = 'test'): Mode {
  if (text === 'test' || text === 'live') return text
  throw new CommandFault(`--mode is test or live, and not "${text}".`)
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
    throw new CommandFault(`${reason} The scopes are ${allScopes.join(', ')}.`)
  }
  return allScopes.filter(scope => words.includes(scope))
}

type IntegrationRow = Row & { id: string; name: string }

export async function integrationFrom(
  connection: Connection,
  id: string | undefined,
): Promise<string> {
  // The named one sorts first, so it's found among any number of rows.
  const rows = await connection.run<IntegrationRow>(
    sql`select id, name from auth.integrations order by id <> ${id ?? ''}, id limit 1000`,
  )
  const found = id === undefined ? rows : rows.filter(row => row.id === id)
  const [only, ...others] = found
  if (only && others.length === 0) return only.id
  if (rows.length === 0)
    throw new CommandFault('There is no integration yet. `npm start` makes one.')
  const reason = id === undefined ? 'Name one with --integration' : `There is no ${id}`
  throw new CommandFault(`${reason}:\n${rows.map(({ id, name }) => `  ${id}  ${name}`).join('\n')}`)
}
