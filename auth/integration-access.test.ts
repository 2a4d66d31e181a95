// Tests the list of agents and devices that act for an integration's members.

import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { allScopes } from '#contract/scopes.ts'
import { sql } from '#database/sql.ts'
import { listMemberAccess } from './integration-access.ts'
import { openIntegration } from './integrations.ts'
import { openAuthDatabase, pepper } from './testing/database.ts'
import { issueToken } from './testing/tokens.ts'

const context = await openAuthDatabase()
const { owner, run, auth } = context
afterAll(() => context.close())

let integration: string
let other: string
beforeEach(async () => {
  ;({ integration } = await owner.use(one => openIntegration(one, 'Ada')))
  ;({ integration: other } = await owner.use(one => openIntegration(one, 'Other')))
})
const issue = (kind: 'client' | 'agent' | 'device', of = integration) =>
  owner.use(connection => issueToken(connection, pepper, { integration: of, kind }))

describe('members’ agents and devices', () => {
  const access = (person: string | null = null) => listMemberAccess(auth, integration, person)
  const clientsOf = (rows: Awaited<ReturnType<typeof access>>) => rows.map(row => row.client)
  const born = (family: string, time: string) =>
    run(sql`
      update auth.token_families set created_at = ${time}::timestamptz where id = ${family}`)
  /** Inserts a consent whose token was never issued. */
  const withoutToken = async () => {
    const made = await issue('agent')
    await run(sql`delete from auth.credentials where id = ${made.id}`)
    return made
  }

  test('are listed if they have or had a token and are still valid; newest first', async () => {
    const [agent, device] = [await issue('agent'), await issue('device')]
    await born(agent.family, '2026-11-01')
    await born(device.family, '2026-11-02')
    const [artifact, used] = [await withoutToken(), await withoutToken()]
    await born(artifact.family, '2026-11-03')
    await born(used.family, '2026-11-04')
    await run(sql`
      insert into auth.artifacts (hash, kind, family, client, payload, expires_at)
      values (sha256(${artifact.family}::text::bytea), 'refresh', ${artifact.family},
              ${artifact.client}, '{}', now())`)
    await run(sql`
      insert into auth.operation_uses (holder, operation, calls, first_at, last_at)
      values (${used.family}, 'listCases', 5, '2026-11-05', '2026-11-06')`)
    await withoutToken()
    await issue('client')
    await issue('agent', other)
    const [ended, over, gone] = [await issue('agent'), await issue('agent'), await issue('agent')]
    await run(sql`update auth.token_families set revoked_at = now() where id = ${ended.family}`)
    await run(sql`
      update auth.token_families set ends_at = now() - interval '1 s' where id = ${over.family}`)
    await run(sql`alter table auth.clients disable trigger user`)
    await run(sql`update auth.clients set revoked_at = now() where id = ${gone.client}`)
    await run(sql`alter table auth.clients enable trigger user`)
    const rows = await access()
    expect(clientsOf(rows)).toEqual([used, artifact, device, agent].map(({ client }) => client))
    expect(rows.map(({ kind, calls }) => [kind, calls])).toEqual([
      ['agent', 5],
      ['agent', 0],
      ['device', 0],
      ['agent', 0],
    ])
    expect(clientsOf(await access(device.person))).toEqual([device.client])
  })

  test('show the last use of a token, or the last call of a deleted one', async () => {
    const { id, family, client, person } = await issue('agent')
    await issue('device')
    const lastUse = async () =>
      (await access(person)).map(row => [row.client, row.last_used_at, [...row.scopes].toSorted()])
    const scopes = [...allScopes].toSorted()
    expect(await lastUse()).toEqual([[client, null, scopes]])
    await run(sql`
      update auth.credentials set last_used_at = '2026-11-05T10:00Z' where id = ${id}`)
    expect(await lastUse()).toEqual([[client, '2026-11-05T10:00:00.000Z', scopes]])
    await run(sql`
      insert into auth.operation_uses (holder, operation, calls, first_at, last_at)
      values (${family}, 'listCases', 1, '2026-11-04', '2026-11-06T10:00Z')`)
    expect(await lastUse()).toEqual([[client, '2026-11-06T10:00:00.000Z', scopes]])
    await run(sql`update auth.operation_uses set last_at = '2026-11-04T10:00Z'`)
    expect(await lastUse()).toEqual([[client, '2026-11-05T10:00:00.000Z', scopes]])
  })
})
