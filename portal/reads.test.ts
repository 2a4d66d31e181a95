// Tests the reads that only pages use, for each role: each read's scope and audit row, and that no
// read shows anything from another integration.
import { describe, expect, test } from 'bun:test'
import { everyRole } from '#contract/portal/row.ts'
import { portalReads } from '#contract/portal/reads.ts'
import type { PortalRead } from '#contract/portal/reads/read.ts'
import { roleScopes, type Scope } from '#contract/scopes.ts'
import { newId } from '#auth/ids.ts'
import { issueToken } from '#auth/testing/tokens.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { invoke, invokeOk } from '#clinical/testing/call.ts'
import { projectAll } from '#clinical/testing/requests.ts'
import { bookedVisit } from '#clinical/testing/visits.ts'
import { sql } from '#database/sql.ts'
import { synthetic } from './synthetic.ts'
import { usePortal } from './testing/portal.ts'
import { readAs } from './testing/reads.ts'

const portal = usePortal()
const portalReadIds = Object.keys(portalReads) as (keyof typeof portalReads)[]

/** The query parameters that a read requires. */
const queryOf = (id: (typeof portalReadIds)[number]): Record<string, string> =>
  id === 'listNewestReplays'
    ? { webhook_endpoint: newId('webhook_endpoint') }
    : id === 'countAgentCalls'
      ? { client: newId('client'), person: newId('person') }
      : {}

describe.each(portalReadIds)('%s', id => {
  const read: PortalRead = portalReads[id]
  const names = { id: newId('case') }

  test.each(everyRole)('%s: only with its scope, and audited', async role => {
    const { token } = await portal.signIn({ role })
    const { code, request } = await readAs(portal, id, { token, names, query: queryOf(id) })
    const isFound = !read.path.includes('{id}')
    const isAllowed = (roleScopes[role] as readonly Scope[]).includes(read.scope)
    expect(code).toBe(!isAllowed ? 'insufficient_scope' : isFound ? null : 'not_found')
    const [entry] = await queryAsOwner(
      portal.fixtures,
      sql`select surface, action, code from audit.entries where request = ${request}`,
    )
    expect(entry).toEqual({ surface: 'portal', action: id, code })
  })

  test('refused for another person’s integration, and without a session', async () => {
    const { token } = await portal.signIn()
    const { integration } = portal.fixtures.ben
    expect((await readAs(portal, id, { token, integration, names })).code).toBe('unauthorized')
    expect((await readAs(portal, id, { token: 'x'.repeat(43), names })).code).toBe('unauthorized')
  })

  if (read.mode === 'both') return
  test('refused in live mode', async () => {
    const { token } = await portal.signIn()
    expect((await readAs(portal, id, { token, mode: 'live', names })).code).toBe('forbidden')
  })
})

const issueAgentToken = () =>
  portal.fixtures.owner.use(connection =>
    issueToken(connection, portal.fixtures.context.peppers[0], {
      integration: portal.fixtures.ada.integration,
      kind: 'agent',
    }),
  )

describe('the newest requests', () => {
  const idsOf = (body: { data: { id: string }[] }) => body.data.map(one => one.id)
  /** Three requests, oldest first; the second is refused. */
  async function calls(as?: string): Promise<string[]> {
    const ids = [newId('request'), newId('request'), newId('request')].sort()
    const [first = '', second = '', third = ''] = ids
    const who = as === undefined ? {} : { as }
    await invokeOk(portal.fixtures, 'listPatients', { ...who, request: first })
    await invoke(portal.fixtures, 'getPatient', { ...who, id: newId('patient'), request: second })
    await invokeOk(portal.fixtures, 'listCases', { ...who, request: third })
    await projectAll(portal.fixtures)
    return ids
  }

  test('are listed newest first, page by page in both directions', async () => {
    const [first = '', second = '', third = ''] = await calls()
    const { token } = await portal.signIn()
    const list = async (query: Record<string, string>) =>
      idsOf((await readAs(portal, 'listNewestRequests', { token, query })).body)
    expect(await list({ limit: '2' })).toEqual([third, second, first])
    expect((await list({ before: third })).slice(0, 2)).toEqual([second, first])
    expect(await list({ after: first, limit: '1' })).toEqual([third, second])
    expect(await list({ after: second })).toEqual([third])
  })

  test('are filtered by operation, outcome, code, key and time', async () => {
    const [first = '', second = '', third = ''] = await calls()
    const { token } = await portal.signIn()
    const { integration, testKey } = portal.fixtures.ada
    const list = async (query: Record<string, string>) =>
      idsOf(
        (await readAs(portal, 'listNewestRequests', { token, query: { limit: '3', ...query } }))
          .body,
      ).filter(id => id >= first)
    expect(await list({ operation: 'listCases' })).toEqual([third])
    expect(await list({ outcome: 'answered' })).toEqual([third, first])
    expect(await list({ outcome: 'refused' })).toEqual([second])
    expect(await list({ outcome: 'error' })).toEqual([second])
    expect(await list({ outcome: 'failed' })).toEqual([])
    expect(await list({ code: 'not_found' })).toEqual([second])
    expect(await list({ credential: testKey })).toEqual([third, second, first])
    const other = await portal.fixtures.key({ integration, mode: 'test', name: 'other' })
    const [ownFirst = ''] = await calls(other)
    const [{ credential }] = (
      await readAs(portal, 'listNewestRequests', { token, query: { limit: '1' } })
    ).body.data
    expect(credential.name).toBe('other')
    expect((await list({ credential: credential.id })).at(-1)).toBe(ownFirst)
    expect(await list({ until: '2026-01-01' })).toEqual([])
  })

  test('are found by client, person and surface, even after the token is gone', async () => {
    const { fixtures } = portal
    const [agent, other] = await Promise.all([issueAgentToken(), issueAgentToken()])
    const { client, person = '' } = agent
    const ids = await calls(agent.token)
    await calls(other.token)
    await queryAsOwner(fixtures, sql`delete from auth.credentials where id = ${agent.id}`)
    const { token } = await portal.signIn()
    const list = async (query: Record<string, string>) =>
      (await readAs(portal, 'listNewestRequests', { token, query })).body.data
    const own = await list({ client })
    expect(idsOf({ data: own })).toEqual(ids.toReversed())
    for (const one of own) expect(one).toMatchObject({ client, person, credential: null })
    expect(idsOf({ data: await list({ person: person ?? '' }) })).toEqual(ids.toReversed())
    expect(await list({ client, surface: 'mcp' })).toEqual([])
    expect(await list({ client, surface: 'rest' })).toHaveLength(3)
    const query = { client, person: person ?? '' }
    const { body } = await readAs(portal, 'countAgentCalls', { token, query })
    const counts = body.data.map((one: Record<string, unknown>) => {
      const { last_at: lastAt, ...counted } = one
      expect(lastAt).toMatch(/^2\d{3}-/)
      return counted
    })
    expect(counts).toEqual([
      { surface: 'rest', operation: 'getPatient', answered: 0, refused: 1, failed: 0 },
      { surface: 'rest', operation: 'listCases', answered: 1, refused: 0, failed: 0 },
      { surface: 'rest', operation: 'listPatients', answered: 1, refused: 0, failed: 0 },
    ])
    const their = { client: other.client, person: person ?? '' }
    expect((await readAs(portal, 'countAgentCalls', { token, query: their })).body.data).toEqual([])
  })

  test('are only this integration’s, in this mode', async () => {
    const { ben } = portal.fixtures
    const theirs = await calls(ben.test)
    const { token } = await portal.signIn()
    const live = await readAs(portal, 'listNewestRequests', { token, mode: 'live' })
    expect(live.body.data).toEqual([])
    const { body } = await readAs(portal, 'listNewestRequests', { token })
    expect(idsOf(body).filter(id => theirs.includes(id))).toEqual([])
    const their = await portal.signIn({ integration: ben.integration })
    const seen = await readAs(portal, 'listNewestRequests', {
      token: their.token,
      integration: ben.integration,
    })
    expect(idsOf(seen.body)).toEqual(theirs.toReversed())
  })

  test('are counted by hour and outcome', async () => {
    const { token } = await portal.signIn()
    const count = async () => {
      const { body } = await readAs(portal, 'countRequests', { token })
      expect(body.hours).toHaveLength(24)
      const sum = (name: string) =>
        body.hours.reduce((all: number, hour: Record<string, number>) => all + (hour[name] ?? 0), 0)
      return [sum('answered'), sum('refused'), sum('failed')]
    }
    const [answered = 0, refused = 0] = await count()
    await calls()
    expect(await count()).toEqual([answered + 2, refused + 1, 0])
    // Requests refused before their organization was known count; another organization's don't.
    const move = (organization: string | null) =>
      queryAsOwner(
        portal.fixtures,
        sql`update test.request_counts set organization = ${organization ?? ''}
             where organization in (${portal.fixtures.ada.organization}, '', 'org_elsewhere')`,
      )
    await move('org_elsewhere')
    expect(await count()).toEqual([0, 0, 0])
    await move(null)
    expect(await count()).toEqual([answered + 2, refused + 1, 0])
  })
})

describe('what another integration does', () => {
  /** A shipped case, one waiting for the autopilot, a visit and an endpoint. */
  async function useSandbox(as: string): Promise<string> {
    const { fixtures } = portal
    const file = async () => {
      const { id: patient } = await invokeOk(fixtures, 'createPatient', {
        as,
        body: synthetic.patient,
      })
      const consent = async (kind: 'telehealth' | 'privacy') => {
        const body = synthetic.consent(kind)
        return (await invokeOk(fixtures, 'recordConsent', { as, id: patient, body })).id
      }
      const body = synthetic.case(patient, [await consent('telehealth'), await consent('privacy')])
      return (await invokeOk(fixtures, 'createCase', { as, body })).id
    }
    const shipped = await file()
    await invokeOk(fixtures, 'decideCase', { as, id: shipped, body: { decision: 'approve' } })
    await invokeOk(fixtures, 'shipCase', { as, id: shipped, body: {} })
    await file()
    await invokeOk(fixtures, 'updateAutopilot', { as, body: { approve_after_s: 3600 } })
    await bookedVisit(fixtures, as)
    await invokeOk(fixtures, 'createWebhookEndpoint', {
      as,
      body: { url: 'https://public.brand.example/hook', event_types: ['*'] },
    })
    await projectAll(fixtures)
    return shipped
  }

  const lists = portalReadIds.filter(id => !portalReads[id].path.includes('{id}'))
  const readAll = async (token: string, integration: string) =>
    Object.fromEntries(
      await Promise.all(
        lists.map(async id => {
          const { body } = await readAs(portal, id, { token, integration, query: queryOf(id) })
          return [id, body]
        }),
      ),
    ) as Record<string, unknown>

  test('changes what its members read, and nothing that others read', async () => {
    const { ada, ben } = portal.fixtures
    const { token: ours } = await portal.signIn()
    const { token: theirs } = await portal.signIn({ integration: ben.integration })
    const before = [await readAll(ours, ada.integration), await readAll(theirs, ben.integration)]
    const id = await useSandbox(ben.test)
    const [own, other] = before
    expect(await readAll(ours, ada.integration)).toEqual(own ?? {})
    const after = await readAll(theirs, ben.integration)
    const changed = lists.filter(name => !Bun.deepEquals(after[name], other?.[name]))
    for (const name of ['getLoop', 'countCases', 'countRequests', 'listNewestRequests'] as const) {
      expect(changed).toContain(name)
    }
    for (const name of ['listSandboxCases', 'listSandboxVisits', 'getNextStep'] as const) {
      expect(changed).toContain(name)
    }
    const names = { id }
    expect((await readAs(portal, 'getSandboxCase', { token: ours, names })).code).toBe('not_found')
    const { integration } = ben
    const found = await readAs(portal, 'getSandboxCase', { token: theirs, integration, names })
    expect(found.body.id).toBe(id)
    expect(JSON.stringify([after, found.body])).not.toContain(synthetic.patient.last_name)
  })
})
