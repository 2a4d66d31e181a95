// Shared by operator commands: reads options and prints results.
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

/** A fault whose message is followed by the help text, such as an unknown command. */
export class UsageFault extends CommandFault {
  override name = 'UsageFault'
}

export const unknownCommand = (given: readonly string[]): UsageFault =>
  new UsageFault(
    given.length === 0 ? 'Name a command.' : `"${given.join(' ')}" doesn't match any usage below.`,
  )

/** All scopes for help text, one per line. */
export const scopeLines = allScopes.map(scope => `  ${scope}`).join('\n')

/** A command's act, for the audit log. */
export const actOfOperator = (): Act => ({
  surface: 'cli',
  request: newId('request'),
})

export const refusals: Record<RefusedChange, string> = {
  unknown_integration: 'No active integration has this ID.',
  unknown_scope: `The scopes must be among ${allScopes.join(', ')}.`,
  agreement_required:
    'Live mode needs a business associate agreement in effect. An owner of the integration must accept it.',
  grant_required: 'Live mode needs a live grant from a clinic.',
  expired: 'The expiration must be in the future.',
  not_found: 'Nothing active has this ID.',
  two_secrets: 'A client can have two secrets. Revoke one first.',
  already_rotated: 'This key was already rotated. Rotate its successor.',
  already_sent: 'This was already done.',
}

export function nameFrom(text: string | undefined, what: string): string {
  const name = text?.trim() ?? ''
  if (name.length >= 1 && name.length <= 200) return name
  throw new CommandFault(`Give ${what}.`)
}

export function modeFrom(text = 'test'): Mode {
  if (text === 'test' || text === 'live') return text
  throw new CommandFault(`--mode must be test or live, not "${text}".`)
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
        ? '--scopes must name at least one scope.'
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
  const rows = await connection.run<IntegrationRow>(
    sql`select id, name from auth.integrations where suspended_at is null order by id`,
  )
  const found = id === undefined ? rows : rows.filter(row => row.id === id)
  const [only, ...others] = found
  if (only && others.length === 0) return only.id
  if (rows.length === 0) {
    throw new CommandFault(
      'No active integrations. Create one with `npm run admin -- keys open --name "…"`.',
    )
  }
  const reason =
    id === undefined ? 'Choose one with --integration' : `No active integration has the ID ${id}`
  throw new CommandFault(`${reason}:\n${rows.map(({ id, name }) => `  ${id}  ${name}`).join('\n')}`)
}
