// Tests key rotation, which creates a successor and ends the key after the overlap.

import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Mode } from '#contract/operation.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { createKey, type KeyRotation, revokeKeyOf, rotateKey } from './administration.ts'
import { findIntegrationKey } from './integration-keys.ts'
import { openIntegration } from './integrations.ts'
import { openKeyCheck } from './key-check.ts'
import { hashesOf } from './pepper.ts'
import { createCredentialCache, stillAuthorized } from './principal.ts'
import { authenticateWithCache } from './testing/authenticate.ts'
import { openAuthDatabase, pepper } from './testing/database.ts'
import type { Act } from './act.ts'

const context = await openAuthDatabase()
const { owner, gateways, run, auth } = context
afterAll(() => context.close())

let integration: string
let organization: string
let old: { id: string; key: string }
let requests = 0
beforeEach(async () => {
  ;({ integration, organization } = await owner.use(connection =>
    openIntegration(connection, 'Ada'),
  ))
  old = await mint()
})

const act = (more: Partial<Act> = {}): Act => ({
  surface: 'portal',
  request: `req_${++requests}`,
  person: 'per_00000000000000000000000001',
  ...more,
})
async function mint(more: { expiresAt?: string } = {}) {
  const asked = { integration, mode: 'test', name: 'Server', organization, ...more } as const
  const made = await auth.use(connection => createKey(connection, pepper, asked, act()))
  if (made.refusal !== null) throw new Error(made.refusal)
  return made
}
const rotate = (more: Partial<KeyRotation> = {}, by = act()) =>
  auth.use(connection =>
    rotateKey(
      connection,
      pepper,
      { id: old.id, integration, mode: 'test', overlapSeconds: 3600, ...more },
      by,
    ),
  )
async function rotated(more: Partial<KeyRotation> = {}) {
  const made = await rotate(more)
  if (made.refusal !== null) throw new Error(made.refusal)
  return made
}
const find = (token: string, cache = createCredentialCache()) =>
  gateways.test.use(connection =>
    authenticateWithCache(connection, pepper, { token, mode: 'test', organization: null }, cache),
  )
const keyOf = (id: string) => findIntegrationKey(auth, integration, 'test', id)

describe('rotate a key', () => {
  test('ok: both work, the successor has the same name, scopes and organization', async () => {
    const made = await rotated()
    expect((await find(made.key))?.organizations.map(({ id }) => id)).toEqual([organization])
    expect(await find(old.key)).not.toBeNull()
    const [before, after] = [await keyOf(old.id), await keyOf(made.id)]
    expect(before).toMatchObject({ status: 'retiring', replaced_by: made.id })
    expect(after).toMatchObject({
      status: 'active',
      name: 'Server',
      scopes: before?.scopes,
      organization,
      expires_at: null,
      replaced_by: null,
    })
    const ends = Date.parse(before?.expires_at ?? '')
    expect(Math.abs(ends - Date.now() - 3_600_000)).toBeLessThan(60_000)
  })

  test('ok: narrower scopes, and never wider ones', async () => {
    const made = await rotated({ scopes: ['cases:read'] })
    expect((await find(made.key))?.scopes).toEqual(['cases:read'])
    const { refusal } = await rotate({ id: made.id, scopes: ['cases:read', 'cases:write'] })
    expect(refusal).toBe('unknown_scope')
    expect((await rotate({ id: made.id, scopes: [] })).refusal).toBe('unknown_scope')
  })

  test('ok: an expiry during the overlap stays, and applies to the successor', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString()
    old = await mint({ expiresAt })
    const made = await rotated()
    const [before, after] = [await keyOf(old.id), await keyOf(made.id)]
    expect(before?.expires_at).toBe(expiresAt)
    const lifeOf = (key: typeof after) =>
      Date.parse(key?.expires_at ?? '') - Date.parse(key?.created_at ?? '')
    expect(Math.abs(lifeOf(after) - lifeOf(before))).toBeLessThan(1000)
  })

  test('its audit rows name both keys', async () => {
    const by = act()
    const made = await rotate({}, by)
    const rows = await run(sql`
      select action, target, outcome, person, mode from audit.entries
       where request = ${by.request} order by seq`)
    const common = { outcome: 'ok', person: by.person, mode: 'test' }
    expect([...rows]).toEqual([
      { action: 'createKey', target: made.refusal === null ? made.id : '', ...common },
      { action: 'rotateKey', target: old.id, ...common },
    ])
  })

  const others: [string, () => Partial<KeyRotation>][] = [
    ['of another integration', () => ({ integration: 'int_other' })],
    ['in the other mode', () => ({ mode: 'live' as Mode })],
    ['with an unknown ID', () => ({ id: 'key_none' })],
  ]
  test.each(others)('not_found: a key %s', async (_what, more) => {
    expect((await rotate(more())).refusal).toBe('not_found')
    expect(await keyOf(old.id)).toMatchObject({ status: 'active', replaced_by: null })
  })

  test('not_found: a key that was revoked or has ended', async () => {
    const ended = await mint()
    await auth.use(connection => revokeKeyOf(connection, old.id, integration, act()))
    await run(
      sql`update auth.credentials set expires_at = now() - interval '1 ms' where id = ${ended.id}`,
    )
    for (const { id } of [old, ended]) expect((await rotate({ id })).refusal).toBe('not_found')
  })

  test('already_rotated: of two simultaneous calls, one creates a successor', async () => {
    const all = await owner.use(async connection => {
      await connection.run(sql`begin`)
      await connection.run(sql`select from auth.credentials where id = ${old.id} for update`)
      const started = [rotate(), rotate()]
      await until(async () => {
        const rows = await auth.use(other =>
          other.run<{ waiting: number }>(sql`
            select count(*)::int as waiting from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock'`),
        )
        return rows[0]?.waiting === 2
      })
      await connection.run(sql`commit`)
      return Promise.all(started)
    })
    expect(all.map(({ refusal }) => refusal ?? 'ok').toSorted()).toEqual(['already_rotated', 'ok'])
  })

  test.each([0, 3600])(
    'already_sent: the same form, even if the old key works for %d seconds',
    async overlapSeconds => {
      const send = () => rotate({ overlapSeconds }, act({ once: `rotation ${old.id}` }))
      const results = await Promise.all([send(), send()])
      expect(results.map(({ refusal }) => refusal ?? 'ok').toSorted()).toEqual([
        'already_sent',
        'ok',
      ])
      expect((await send()).refusal).toBe('already_sent')
    },
  )

  test('ok: again if the successor was revoked', async () => {
    const made = await rotated()
    await auth.use(connection => revokeKeyOf(connection, made.id, integration, act()))
    expect((await rotated()).key).not.toBe(made.key)
  })
})

test('already_sent: the same form creates one key, and nothing else', async () => {
  const asked = { integration, mode: 'test', name: 'Twice' } as const
  const send = (once: string) =>
    auth.use(connection => createKey(connection, pepper, asked, act({ once })))
  const results = await Promise.all([send('a form'), send('a form')])
  expect(results.map(({ refusal }) => refusal ?? 'ok').toSorted()).toEqual(['already_sent', 'ok'])
  expect((await send('another form')).refusal).toBeNull()
  const keys = await run(sql`select from auth.credentials where name = 'Twice'
                               and integration = ${integration}`)
  expect(keys).toHaveLength(2)
})

describe('a key at the end of its overlap', () => {
  const refused = async (token: string) => {
    const check = openKeyCheck(gateways.test)
    const [isValid, authorized] = [
      await check(hashesOf([pepper], token)),
      await gateways.test.use(connection =>
        stillAuthorized(connection, 'test', 'realtime:subscribe', [
          { holder: old.id, organization },
        ]),
      ),
    ]
    return !isValid && authorized.length === 0
  }

  test('is refused everywhere if the overlap is zero', async () => {
    expect(await refused(old.key)).toBe(false)
    await rotated({ overlapSeconds: 0 })
    expect(await find(old.key)).toBeNull()
    expect(await refused(old.key)).toBe(true)
    expect((await keyOf(old.id))?.status).toBe('retired')
  })

  test('works until the overlap ends, and is then refused by every gateway’s next call', async () => {
    const caches = [createCredentialCache(), createCredentialCache()]
    for (const cache of caches) expect(await find(old.key, cache)).not.toBeNull()
    await rotated({ overlapSeconds: 1 })
    const ends = Date.parse((await keyOf(old.id))?.expires_at ?? '')
    const clock = async () => {
      const [row] = await run(sql`select iso(clock_timestamp()) as at`)
      return Date.parse(String(row?.['at']))
    }
    for (;;) {
      const before = await clock()
      const found = await Promise.all(caches.map(cache => find(old.key, cache)))
      const after = await clock()
      // A call that is running when the key expires may either succeed or fail.
      if (after < ends) expect(found).not.toContain(null)
      if (before >= ends) {
        expect(found).toEqual([null, null])
        break
      }
    }
    expect(await refused(old.key)).toBe(true)
  })
})
