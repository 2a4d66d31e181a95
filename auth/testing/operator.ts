// Runs an operator's commands on a database with one integration.
import { afterAll, beforeEach } from 'bun:test'
import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { clientsCommand } from '../clients-command.ts'
import { openIntegration } from '../integrations.ts'
import { keysCommand } from '../keys-command.ts'
import { openAuthDatabase, pepper } from './database.ts'

/** The time at which the commands run. */
const operatorTime = Date.parse('2026-11-20T00:00:00Z')

type Context = { connection: Connection; peppers: [string]; now: number }
type Command = (args: string[], context: Context) => Promise<string>

/** Each test starts without keys or clients. */
export async function useOperator() {
  const context = await openAuthDatabase()
  const { owner, run } = context
  const { integration } = await owner.use(one => openIntegration(one, 'Ada'))
  beforeEach(async () => {
    await run(sql`delete from auth.clients`)
    await run(sql`delete from auth.credentials`)
  })
  afterAll(() => context.close())
  const runner = (command: Command) => (args: string[]) =>
    owner.use(connection => command(args, { connection, peppers: [pepper], now: operatorTime }))
  return { owner, run, integration, keys: runner(keysCommand), clients: runner(clientsCommand) }
}
