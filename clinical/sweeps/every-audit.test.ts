// Every operation's audit row, however the call ends, names the token, the person it acts for and
// the client it came through. every-operation.test.ts and every-request.test.ts have the rows for a
// key.

import { beforeAll, describe, expect, test } from 'bun:test'
import { callableIds, callable } from '#contract/callable.ts'
import { isWrite } from '#contract/operation.ts'
import { type IssuedToken, issueToken } from '#auth/testing/tokens.ts'
import { invoke } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { auditRowsOf } from '../testing/sweep.ts'
import { validCalls } from '../testing/valid-calls.ts'

const fixtures = useFixtures()

/** An agent acts for a person, and a confidential client doesn't. */
const kinds = ['agent', 'client'] as const
const tokens: Partial<Record<(typeof kinds)[number], IssuedToken>> = {}
beforeAll(async () => {
  const { integration } = fixtures.ada
  for (const kind of kinds) {
    tokens[kind] = await fixtures.owner.use(connection =>
      issueToken(connection, fixtures.context.pepper, { integration, kind }),
    )
  }
})

describe.each(kinds)('the audit of calls by a %s', kind => {
  for (const id of callableIds) {
    const row = callable[id]
    const ends = isWrite(row) ? 'ok, replayed or refused' : 'ok or refused'
    test(`${id} names its caller, whether ${ends}`, async () => {
      const token = tokens[kind]
      const as = token?.token ?? null
      const caller = {
        surface: 'rest',
        action: id,
        actor: token?.id,
        person: token?.person,
        client: token?.client,
      }
      if (kind === 'agent') expect(caller.person).toBeString()
      const options = { ...(await validCalls[id](fixtures, fixtures.ada.test)), as }
      const key = isWrite(row) ? `${kind}-${id}` : null
      const call = () => invoke(fixtures, id, { ...options, key })
      const done = await auditRowsOf(fixtures, call)
      expect(done.rows).toMatchObject([{ ...caller, outcome: 'ok', status: row.status }])
      if (isWrite(row)) {
        const again = await auditRowsOf(fixtures, call)
        expect(again.rows).toMatchObject([{ ...caller, outcome: 'replayed', status: row.status }])
      }
      const refused = await auditRowsOf(fixtures, () =>
        invoke(fixtures, id, { ...options, version: 'never' }),
      )
      const code = 'invalid_request'
      expect(refused.rows).toMatchObject([{ ...caller, outcome: 'refused', code }])
    })
  }
})
