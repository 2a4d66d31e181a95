// Slows down writes to a table, so a test sees whether a response waits for the row. A response
// that doesn't wait arrives before the row is written.
import { sql } from '#database/sql.ts'
import type { TestPeople } from './people.ts'

const [audit, attempts, credentials, factors, members] = [
  sql`audit.entries`,
  sql`auth.failed_attempts`,
  sql`auth.credentials`,
  sql`auth.person_factors`,
  sql`auth.members`,
]

const writes = {
  'audit rows': { table: audit, when: sql`before insert` },
  'failed attempts': { table: attempts, when: sql`before insert or update or delete` },
  factors: { table: factors, when: sql`before insert or update` },
  members: { table: members, when: sql`before insert` },
  'new sessions': { table: credentials, when: sql`before insert` },
  'changed sessions': { table: credentials, when: sql`before update` },
} as const

/** Makes each statement that writes these rows take 200 ms longer while the work runs. A write that
 *  the work doesn't wait for finishes after it, so the work sees only the writes it waited for. */
export async function withSlow<T>(
  { run }: TestPeople,
  what: keyof typeof writes,
  work: () => Promise<T>,
): Promise<T> {
  const { table, when } = writes[what]
  await run(sql`
    create or replace function public.take_a_moment() returns trigger language plpgsql as $$
    begin
      perform pg_sleep(0.2);
      return null;
    end $$`)
  await run(sql`
    create trigger takes_a_moment ${when} on ${table}
      for each statement execute function public.take_a_moment()`)
  try {
    return await work()
  } finally {
    await run(sql`drop trigger takes_a_moment on ${table}`)
  }
}
