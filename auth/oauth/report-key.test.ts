// Tests reports of leaked keys: their effect on a key, and that no response reveals it.

import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { issueKey } from '../integrations.ts'
import { newId } from '../ids.ts'
import { mintKey } from '../tokens.ts'
import { randomBytes } from '#database/clock.ts'
import { peppers } from './testing/fixture.ts'
import { useFixture } from './testing/use-fixture.ts'

const fixture = await useFixture()
const { integration, owner, run, issuer } = fixture

const path = '/api/auth/keys/report'
let networks = 0
async function report(body: string, address = `198.51.${++networks}.1`) {
  const response = await fetch(`${issuer}${path}`, {
    method: 'POST',
    body,
    headers: { 'test-address': address },
  })
  return { status: response.status, text: await response.text(), headers: response.headers }
}
const newKey = () =>
  owner.use(connection =>
    issueKey(connection, peppers[0], { integration, mode: 'test', name: 'Checkout' }),
  )
const isRevoked = async (id: string) => {
  const [row] = await run<{ reason: string | null }>(
    sql`select revoked_reason as reason from auth.credentials
         where id = ${id} and revoked_at is not null`,
  )
  return row?.reason ?? null
}
const emailsAbout = async (last4: string) =>
  (
    await run<{ facts: Record<string, string>; kind: string; audience: string }>(
      sql`select facts, kind, audience from site.emails where facts ->> 'last4' = ${last4}`,
    )
  ).map(({ facts, kind, audience }) => ({ kind, audience, ...facts }))

describe('report a leaked key', () => {
  test('202: a valid key is revoked immediately and audited, and its owners are emailed', async () => {
    const { id, key } = await newKey()
    const other = await newKey()
    const { status, text, headers } = await report(key)
    expect([status, JSON.parse(text)]).toEqual([202, { received: true }])
    expect(headers.get('cache-control')).toBe('no-store')
    expect([await isRevoked(id), await isRevoked(other.id)]).toEqual(['reported', null])
    const audited = await run(sql`
      select action, actor, person, surface, mode, integration, outcome, status
        from audit.entries where target = ${id} and action = 'reportKey'`)
    expect([...audited]).toEqual([
      {
        action: 'reportKey',
        actor: null,
        person: null,
        surface: 'oauth',
        mode: 'test',
        integration,
        outcome: 'ok',
        status: 202,
      },
    ])
    const [name] = await run<{ name: string }>(
      sql`select name from auth.integrations where id = ${integration}`,
    )
    const facts = {
      email: `${fixture.people.owner}@example.com`,
      integration: name?.name ?? '',
      name: 'Checkout',
      mode: 'test',
      last4: key.slice(-4),
    }
    expect(await emailsAbout(key.slice(-4))).toMatchObject([
      { kind: 'key_reported', audience: 'person', integration_id: integration, ...facts },
    ])
  })

  test('202: keys may be surrounded by other text', async () => {
    const keys = [await newKey(), await newKey()]
    await report(
      JSON.stringify(keys.map(({ key }) => ({ token: key, url: 'https://example.com' }))),
    )
    for (const { id } of keys) expect(await isRevoked(id)).toBe('reported')
  })

  test('202: the same response for an unknown, ended or repeated key', async () => {
    const [valid, ended] = [await newKey(), await newKey()]
    await run(
      sql`update auth.credentials set expires_at = now() - interval '1 ms' where id = ${ended.id}`,
    )
    const first = await report(valid.key)
    for (const body of [
      valid.key,
      ended.key,
      mintKey('live', randomBytes(32)),
      `${valid.key.slice(0, -1)}~`,
      '',
      '\0',
      fixture.secrets.accessToken('test'),
    ]) {
      const { status, text } = await report(body)
      expect([body, status, text]).toEqual([body, 202, first.text])
    }
    expect(await isRevoked(ended.id)).toBeNull()
    const audited = await run(sql`select from audit.entries where target = ${valid.id}
                                     and action = 'reportKey'`)
    expect(audited).toHaveLength(1)
    expect(await emailsAbout(valid.key.slice(-4))).toHaveLength(1)
  })

  test('429: after 60 reports from a network in an hour; other networks are not refused', async () => {
    for (let sent = 0; sent < 60; sent++) {
      expect((await report(newId('key'), '203.0.113.200')).status).toBe(202)
    }
    const { id, key } = await newKey()
    const { status, headers } = await report(key, '203.0.113.200')
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await isRevoked(id)).toBeNull()
    expect((await report(key)).status).toBe(202)
    expect(await isRevoked(id)).toBe('reported')
  })

  test('413 and 405: a long body, and another method', async () => {
    expect((await report('x'.repeat(8193))).status).toBe(413)
    expect((await fetch(`${issuer}${path}`)).status).toBe(405)
  })
})
