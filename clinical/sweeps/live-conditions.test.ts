// Live works while four conditions hold, and with none of them missing: an agreement in force, an
// active grant, an integration that is not suspended, and a credential that is valid. The table of
// all sixteen, for a key and a token, each known to the gateway from before.

import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { grant, openIntegration } from '#auth/integrations.ts'
import { acceptAgreement } from '#auth/testing/administration.ts'
import { issueToken } from '#auth/testing/tokens.ts'
import { sql, type Statement } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invoke } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'

const fixtures = useFixtures()
let integration: string
const credentials: Record<'key' | 'token', string> = { key: '', token: '' }
beforeAll(async () => {
  const { owner, clinic, context } = fixtures
  ;({ integration } = await owner.use(connection => openIntegration(connection, 'Live')))
  await owner.use(async connection => {
    await acceptAgreement(connection, integration, '2026-09-01')
    await grant(connection, { integration, organization: clinic, mode: 'live' })
    const { token } = await issueToken(connection, context.pepper, { integration, mode: 'live' })
    credentials.token = token
  })
  credentials.key = await fixtures.key({ integration, mode: 'live', name: 'live' })
})
afterEach(() => expect(fixtures.errors).toEqual([]))

const conditions: Record<string, (holds: boolean) => Statement> = {
  agreement: holds => sql`
    update auth.agreements set terminated_at = case when ${holds} then null else now() end
     where integration = ${integration}`,
  grant: holds => sql`
    update auth.grants set status = case when ${holds} then 'active' else 'revoked' end
     where integration = ${integration} and mode = 'live'`,
  integration: holds => sql`
    update auth.integrations set suspended_at = case when ${holds} then null else now() end
     where id = ${integration}`,
  credential: holds => sql`
    update auth.credentials set revoked_at = case when ${holds} then null else now() end
     where integration = ${integration} and mode = 'live'`,
}
const names = Object.keys(conditions)

/** The first gate that does not hold, in the order in which they are checked. */
function expectedOf(missing: readonly string[]): string {
  if (missing.includes('credential') || missing.includes('integration')) return 'unauthorized'
  if (missing.includes('grant')) return 'organization_not_granted'
  return missing.includes('agreement') ? 'baa_required' : 'ok'
}

const table = Array.from({ length: 2 ** names.length }, (_, bits) =>
  names.filter((_name, at) => bits & (1 << at)),
)

const codeOf = async (as: string) => (await invoke(fixtures, 'listPatients', { as })).code ?? 'ok'

describe.each(['key', 'token'] as const)('a live %s', kind => {
  test.each(table.map(missing => ({ missing })))('without $missing', async ({ missing }) => {
    expect(await codeOf(credentials[kind])).toBe('ok')
    for (const name of missing) await queryAsOwner(fixtures, conditions[name]?.(false) ?? sql``)
    expect(await codeOf(credentials[kind])).toBe(expectedOf(missing))
    for (const name of missing) await queryAsOwner(fixtures, conditions[name]?.(true) ?? sql``)
    expect(await codeOf(credentials[kind])).toBe('ok')
  })
})
