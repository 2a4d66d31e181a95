// Runs the emergency access command as an operator.
import { sql } from '#database/sql.ts'
import { openPersonStore } from '../accounts/person-store.ts'
import { emergencyCommand } from '../operators/emergency-command.ts'
import type { TestPeople } from './people.ts'

/** Returns what the command prints. `input` yields the operator's typed statements. */
export async function runEmergency(
  people: TestPeople,
  args: string[],
  input: () => AsyncIterable<string>,
): Promise<string[]> {
  const printed: string[] = []
  const store = openPersonStore({
    pool: people.pool,
    encryption: people.encryption,
    now: () => people.clock.now,
  })
  await people.owner.use(connection =>
    emergencyCommand(args, {
      connection,
      people: store,
      ownerUrl: people.database.url,
      input,
      print: line => void printed.push(line),
      complain: line => void printed.push(`refused: ${line}`),
    }),
  )
  return printed
}

/** Ends the accesses that tests opened, and removes their roles, which exist server-wide. */
export async function closeEmergencies(people: TestPeople): Promise<void> {
  await people.run(sql`update auth.operator_accesses set ended_at = now() where ended_at is null`)
  await people.run(sql`select auth.remove_operator_roles()`)
  await people.close()
}
