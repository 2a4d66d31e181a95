// Live mode requires four conditions: an agreement in effect, an active grant, an integration that
// isn't suspended, and a valid credential. Tests all sixteen combinations, for a token and for keys
// with every expiration, rotation and organization, each already cached by the gateway.

import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { rotateKey } from '#auth/administration.ts'
import { grant, issueKey, openIntegration, openOrganization } from '#auth/integrations.ts'
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
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

const conditions: Record<string, (holds: boolean) => Statement> = {
  agreement: holds => sql`
    update auth.agreements set terminated_at = case when ${holds} then null else now() end
     where integration = ${integration}`,
  grant: holds => sql`
    update auth.grants set status = case when ${holds} then 'active' else 'revoked' end
     where integration = ${integration} and mode = 'live' and organization = ${fixtures.clinic}`,
  integration: holds => sql`
    update auth.integrations set suspended_at = case when ${holds} then null else now() end
     where id = ${integration}`,
  credential: holds => sql`
    update auth.credentials set revoked_at = case when ${holds} then null else now() end
     where integration = ${integration} and mode = 'live'`,
}
const names = Object.keys(conditions)

/** Returns the first gate that refuses, in the order they're checked. */
function expectedOf(missing: readonly string[]): string {
  if (missing.includes('credential') || missing.includes('integration')) return 'unauthorized'
  if (missing.includes('grant')) return 'organization_not_granted'
  return missing.includes('agreement') ? 'baa_required' : 'ok'
}

const table = Array.from({ length: 2 ** names.length }, (_, bits) =>
  names.filter((_name, at) => bits & (1 << at)),
)

/** `address` is the caller's, because refused credentials are counted by address. */
const codeOf = async (as: string, address?: string) =>
  (await invoke(fixtures, 'listPatients', { as, ...(address && { address }) })).code ?? 'ok'
const change = async (missing: readonly string[], holds: boolean): Promise<void> => {
  for (const name of missing) await queryAsOwner(fixtures, conditions[name]?.(holds) ?? sql``)
}

describe.each(['key', 'token'] as const)('a live %s', kind => {
  test.each(table.map(missing => ({ missing })))('without $missing', async ({ missing }) => {
    expect(await codeOf(credentials[kind])).toBe('ok')
    await change(missing, false)
    expect(await codeOf(credentials[kind])).toBe(expectedOf(missing))
    await change(missing, true)
    expect(await codeOf(credentials[kind])).toBe('ok')
  })
})

const expiries = ['never expires', 'expires in an hour', 'expired'] as const
const rotations = ['not rotated', 'in its overlap', 'replaced'] as const
const organizations = ['any', 'the clinic', 'one that ended its grant'] as const
type KeyKind = {
  expiry: (typeof expiries)[number]
  rotation: (typeof rotations)[number]
  organization: (typeof organizations)[number]
}
const kinds: KeyKind[] = expiries.flatMap(expiry =>
  rotations.flatMap(rotation =>
    organizations.map(organization => ({ expiry, rotation, organization })),
  ),
)

/** Returns the names of the conditions that the key itself doesn't meet. */
const lacks = ({ expiry, rotation, organization }: KeyKind): string[] => [
  ...(expiry === 'expired' || rotation === 'replaced' ? ['credential'] : []),
  ...(organization === 'one that ended its grant' ? ['grant'] : []),
]

describe('a live key with every expiration, rotation and organization', () => {
  const keys = new Map<KeyKind, string>()
  const endNow = (id: string) =>
    queryAsOwner(
      fixtures,
      sql`update auth.credentials set expires_at = now() - interval '1 second' where id = ${id}`,
    )

  async function keyOf(kind: KeyKind, ended: string): Promise<string> {
    const { owner, clinic, context } = fixtures
    const { id, key } = await owner.use(connection =>
      issueKey(connection, context.pepper, {
        integration,
        mode: 'live',
        name: Object.values(kind).join(', '),
        organization: { any: null, 'the clinic': clinic, [organizations[2]]: ended }[
          kind.organization
        ],
        expiresAt:
          kind.expiry === 'never expires' ? null : new Date(Date.now() + 3_600_000).toISOString(),
      }),
    )
    if (kind.rotation !== 'not rotated') {
      const act = { surface: 'cli', request: 'req_rotation' } as const
      const asked = { id, integration, mode: 'live', overlapSeconds: 3600 } as const
      await owner.use(connection => rotateKey(connection, context.pepper, asked, act))
    }
    // The gateway cached the key while it was valid.
    if (kind.organization !== 'one that ended its grant') expect(await codeOf(key)).toBe('ok')
    if (lacks(kind).includes('credential')) await endNow(id)
    return key
  }

  beforeAll(async () => {
    const { owner } = fixtures
    const ended = await owner.use(connection =>
      openOrganization(connection, 'Another Clinic', 'another-clinic'),
    )
    await owner.use(connection =>
      grant(connection, { integration, organization: ended, mode: 'live' }),
    )
    await queryAsOwner(
      fixtures,
      sql`update auth.grants set status = 'revoked'
           where integration = ${integration} and organization = ${ended}`,
    )
    for (const kind of kinds) keys.set(kind, await keyOf(kind, ended))
  })

  test.each(table.map((missing, at) => ({ missing, at })))('without $missing', async each => {
    const { missing, at } = each
    await change(missing, false)
    const found = await Promise.all(
      [...keys].map(async ([kind, key]) => ({
        ...kind,
        code: await codeOf(key, `198.51.100.${at}`),
      })),
    )
    await change(missing, true)
    expect(found).toHaveLength(27)
    expect(found).toEqual(
      kinds.map(kind => ({ ...kind, code: expectedOf([...missing, ...lacks(kind)]) })),
    )
  })
})
