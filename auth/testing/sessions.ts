// Writes sessions to the database as a sign-in would.
import type { Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { newId } from '../ids.ts'
import { pepperName } from '../pepper.ts'
import { hashToken } from '../tokens.ts'
import { pepper } from './database.ts'

type Run = (statement: Statement) => Promise<Row[]>

export async function newPerson(run: Run): Promise<string> {
  const id = newId('person')
  await run(sql`
    insert into auth.persons (id, email, name) values (${id}, ${`${id}@example.com`}, 'Ada')`)
  return id
}

/** A person's session at the portal or the console. */
export async function newSession(run: Run, person: string, origin: 'portal' | 'console') {
  const [id, token] = [newId('token'), `session of ${newId('token')}`]
  await run(sql`
    insert into auth.credentials (id, kind, name, scopes, hash, pepper, last4, person, origin,
                                  sign_in, expires_at)
    values (${id}, 'session', 'a session', '{}', ${hashToken(pepper, token)}, ${pepperName(pepper)},
            'abcd', ${person}, ${origin}, ${id}, now() + interval '1 hour')`)
  return { id, token }
}
