// The command `npm run admin -- clients`, which receives the database connection and peppers as
// arguments.
import { parseArgs } from 'node:util'
import { allScopes } from '#contract/scopes.ts'
import type { Connection, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import {
  addClientSecret,
  createClient,
  type RefusedChange,
  revokeClient,
  revokeClientSecret,
} from './administration.ts'
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

export const clientsHelp = `Usage:
  npm run admin -- clients list
  npm run admin -- clients create --name "Nightly export" [--mode test|live]
      [--scopes patients:read] [--integration int_…]
  npm run admin -- clients add-secret cli_…
  npm run admin -- clients revoke-secret cs_…
  npm run admin -- clients revoke cli_…

A client exchanges its secret for access tokens (client_credentials).
create and add-secret print a secret once; only its hash is stored. By default the client is for
test mode and can request every scope. --integration is optional if there's only one.
A client can have two secrets, so you can replace one without downtime.
revoke takes effect on the next request with any of the client's tokens.

Scopes:
${scopeLines}`

/** Runs one command and returns what to print. */
export async function clientsCommand(args: string[], context: CommandContext): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      mode: { type: 'string' },
      scopes: { type: 'string' },
      integration: { type: 'string' },
    },
  })
  const [command = '', id, ...rest] = positionals
  if (command === 'list' && id === undefined) return list(context.connection)
  if (command === 'create' && id === undefined) return create(context, values)
  const change = changes[command]
  if (change && id !== undefined && rest.length === 0) return change(context, id)
  throw unknownCommand(positionals)
}

const changes: Record<string, (context: CommandContext, id: string) => Promise<string>> = {
  async 'add-secret'({ connection, peppers }, client) {
    const asked = { client, integration: null }
    const made = await addClientSecret(connection, peppers[0], asked, actOfOperator())
    if (made.refusal !== null) throw faultOf(made.refusal, client)
    return shown(made.secret, `${made.secretId} for ${client}`)
  },
  async 'revoke-secret'({ connection }, id) {
    const { refusal } = await revokeClientSecret(connection, id, null, actOfOperator())
    if (refusal !== null) throw faultOf(refusal, id)
    return `Revoked ${id}.`
  },
  async revoke({ connection }, id) {
    const { refusal } = await revokeClient(connection, id, null, actOfOperator())
    if (refusal !== null) throw faultOf(refusal, id)
    return `Revoked ${id} and its tokens.`
  },
}

const faultOf = (refusal: RefusedChange, id: string) =>
  new CommandFault(
    refusal === 'not_found'
      ? `Nothing active has the ID ${id}. See: npm run admin -- clients list`
      : refusals[refusal],
  )

const shown = (secret: string, what: string) =>
  `${secret}\n\nThis is ${what}. The secret is shown only this once.`

type Flags = Partial<Record<'name' | 'mode' | 'scopes' | 'integration', string>>

async function create({ connection, peppers }: CommandContext, flags: Flags): Promise<string> {
  const name = nameFrom(
    flags.name,
    'the client a --name of 1 to 200 characters that says what it is for',
  )
  const [mode, scopes] = [modeFrom(flags.mode), scopesFrom(flags.scopes)]
  const integration = await integrationFrom(connection, flags.integration)
  const asked = { integration, mode, name, scopes }
  const made = await createClient(connection, peppers[0], asked, actOfOperator())
  if (made.refusal !== null) throw new CommandFault(refusals[made.refusal])
  return `client_id      ${made.id}\nclient_secret  ${shown(made.secret, made.secretId)}`
}

type ClientRow = Row & {
  id: string
  integration: string
  mode: string
  name: string
  scopes: string[]
  revoked: string | null
  used: string | null
  secrets: { id: string; last4: string }[]
}

async function list(connection: Connection): Promise<string> {
  const clients = await connection.run<ClientRow>(sql`
    select c.id, c.integration, c.mode, c.name, c.scopes, iso(c.revoked_at) as revoked,
           iso(c.last_token_at) as used,
           (select coalesce(json_agg(json_build_object('id', s.id, 'last4', s.last4) order by s.id), '[]')
              from auth.client_secrets s where s.client = c.id and s.revoked_at is null
               and (s.expires_at is null or s.expires_at > now())) as secrets
      from auth.clients c where c.kind = 'confidential' order by c.id`)
  if (clients.length === 0) {
    return 'No clients yet. Create one with `npm run admin -- clients create --name "…"`.'
  }
  return clients.map(lineOf).join('\n')
}

function lineOf({ scopes, revoked, used, secrets, ...client }: ClientRow): string {
  return [
    client.id,
    client.mode,
    revoked ? `revoked ${revoked.slice(0, 10)}` : 'active',
    used ? `last token ${used.slice(0, 16)}Z` : 'no token yet',
    secrets.map(({ id, last4 }) => `${id} …${last4}`).join(', ') || 'no secret',
    client.integration,
    scopes.length === allScopes.length ? 'all scopes' : scopes.join(','),
    client.name,
  ].join('  ')
}
