// Reduces an integration's scopes during a test.

import { sql } from '#database/sql.ts'
import type { Fixtures } from './fixtures.ts'
import { queryAsOwner } from './assertions.ts'

/** Runs `work` while the sandbox grants the integration only these scopes. */
export async function withScopes<T>(
  fixtures: Fixtures,
  integration: string,
  scopes: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const ofIts = sql`where integration = ${integration} and mode = 'test'`
  const set = (to: readonly string[]) =>
    queryAsOwner(fixtures, sql`update auth.grants set scopes = ${to}::text[] ${ofIts}`)
  const [before] = await queryAsOwner<{ scopes: string[] }>(
    fixtures,
    sql`select scopes from auth.grants ${ofIts}`,
  )
  await set(scopes)
  return work().finally(() => set(before?.scopes ?? []))
}
