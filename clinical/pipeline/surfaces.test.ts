// Several surfaces over one pipeline: REST, and two surfaces with tables defined only here. The
// first is a selection from the clinical API with the same handlers, like tools. The second has its
// own operations on the integration.

import { beforeAll, describe, expect, test } from 'bun:test'
import { Type as t } from 'typebox'
import { operations } from '#contract/api.ts'
import type { AnyOperation } from '#contract/operation.ts'
import { isWrite } from '#contract/operation.ts'
import { Problem } from '#contract/problems.ts'
import type { Audience } from '#contract/scopes.ts'
import type { CachedCredential } from '#auth/principal.ts'
import { issueToken } from '#auth/testing/tokens.ts'
import { sql } from '#database/sql.ts'
import { handlers } from '../handlers.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { rivera } from '../testing/call.ts'
import { fixturesBase, useFixtures } from '../testing/fixtures.ts'
import { restSurface } from '../rest/surface.ts'
import { bearerTokens } from './authentication.ts'
import { authorize } from './authorize.ts'
import { type AnyPrincipal, handlersOf } from './handler.ts'
import { type AppContext, perform } from './perform.ts'
import { published } from './publish.ts'
import { createRateLimits } from './rate-limits.ts'
import type { RequestedCall } from './requested-call.ts'
import { defineSurface, type Surface } from './surface.ts'

const fixtures = useFixtures()
const rest = restSurface(fixturesBase)

const { getPatient, createPatient, listPatients } = operations
const challenge = (parameters: string) => `Bearer realm="tools"${parameters}`
const tools = defineSurface({
  name: 'mcp',
  authentication: bearerTokens('mcp'),
  challenge,
  operations: { getPatient, createPatient, listPatients },
  handlers,
  gate: (operation, { credential }, organization) =>
    authorize(operation, credential, organization, challenge),
})

const rows = {
  readNotes: {
    method: 'GET',
    path: '/notes',
    tag: 'Notes',
    summary: 'Read the notes.',
    status: 200,
    returns: t.Object({ id: t.String(), notes: t.Integer() }),
  },
  addNote: {
    method: 'POST',
    path: '/notes',
    tag: 'Notes',
    summary: 'Add a note.',
    body: t.Object({ text: t.String({ maxLength: 5 }) }, { additionalProperties: false }),
    refuses: ['gone'],
    status: 201,
    returns: t.Object({ text: t.String() }),
  },
} as const satisfies Record<string, AnyOperation>

/** Acts for the integration, regardless of clinics' grants. */
function actForIntegration(_: AnyOperation, { credential, tenant }: CachedCredential) {
  const { id, integration, mode, client, person } = credential
  if (mode === 'live') throw new Problem('forbidden', { detail: 'There are no notes in live.' })
  return { credential: id, integration, mode, client, person, tenant, organization: null }
}

const { read, write } = handlersOf<typeof rows, AnyPrincipal & { organization: null }>()
const pages = defineSurface({
  name: 'portal',
  authentication: bearerTokens('api'),
  challenge,
  operations: rows,
  handlers: {
    readNotes: read('readNotes', ({ principal }) => ({
      rows: sql`select ${principal.integration}::text as id,
                       json_build_object('notes', (select count(*) from notes))::text as item`,
    })),
    addNote: write('addNote', {
      decide: (call, { text }) => {
        if (text === 'gone') throw call.refuse('gone')
        return text
      },
      write: ({ principal }, text) => sql`
        changed as (
          insert into notes (integration, text) select ${principal.integration}, ${text} from go
          returning '' as id, ${published(sql`text`)} as answer
        )`,
    }),
  },
  gate: actForIntegration,
})

let made = 0
type CallOptions<Id extends string> = Partial<RequestedCall<Id>> & { operation: Id }

async function ask<Id extends string>(
  surface: Surface<Id>,
  { operation, ...more }: CallOptions<Id>,
  context: AppContext = fixtures.context,
) {
  const row = surface.operationOf(operation).operation
  const request = `req_2000000000000000000000${String(made++).padStart(4, '0')}`
  const outcome = await perform(context, surface, {
    operation,
    path: row.path,
    names: {},
    query: new URLSearchParams(),
    token: fixtures.ada.test,
    organization: null,
    version: null,
    idempotencyKey: isWrite(row) ? request : null,
    body: undefined,
    refusedBody: null,
    request,
    address: '203.0.113.20',
    agent: null,
    ...more,
  })
  await fixtures.context.auditWriter.flush()
  const audited = await queryAsOwner<Record<string, unknown>>(
    fixtures,
    sql`select surface, action, actor, organization, outcome, code from audit.entries
         where request = ${request}`,
  )
  return { ...outcome, audited: [...audited] }
}

beforeAll(async () => {
  await queryAsOwner(fixtures, sql`create table test.notes (integration text, text text)`)
  await queryAsOwner(fixtures, sql`grant select, insert on test.notes to app_test`)
})

const bodyOf = (outcome: object) => JSON.parse('body' in outcome ? String(outcome.body) : 'null')
const codeOf = (outcome: object) =>
  'problem' in outcome && outcome.problem instanceof Problem ? outcome.problem.code : null
const notesOf = async () => bodyOf(await ask(pages, { operation: 'readNotes' })).notes

describe('a surface', () => {
  test('performs its reads and writes, and names itself in the audit', async () => {
    const added = await ask(pages, { operation: 'addNote', body: { text: 'one' } })
    expect(added).toMatchObject({ status: 201, body: '{"text":"one"}' })
    const caller = { actor: fixtures.ada.testKey, outcome: 'ok', code: null }
    expect(added.audited).toEqual([
      { ...caller, surface: 'portal', action: 'addNote', organization: null },
    ])
    const seen = await ask(pages, { operation: 'readNotes' })
    expect(bodyOf(seen).notes).toBe(1)
    expect(seen.audited).toMatchObject([{ surface: 'portal', action: 'readNotes' }])
    const { organization } = fixtures.ada
    const listed = await ask(tools, { operation: 'listPatients' })
    expect(listed.audited).toEqual([
      { ...caller, surface: 'mcp', action: 'listPatients', organization },
    ])
  })

  test('serves the same handlers and rows as another surface', async () => {
    const made = await ask(tools, { operation: 'createPatient', body: rivera })
    const { id } = bodyOf(made)
    const names = { id }
    const path = `/v1/patients/${id}`
    const [tool, own] = [
      await ask(tools, { operation: 'getPatient', path, names }),
      await ask(rest, { operation: 'getPatient', path, names }),
    ]
    expect(bodyOf(tool)).toEqual(bodyOf(own))
    expect(tool.audited).toMatchObject([{ surface: 'mcp', action: 'getPatient' }])
    expect(own.audited).toMatchObject([{ surface: 'rest', action: 'getPatient' }])
  })

  test('replays a write, even one from another surface with the same table', async () => {
    const before = await notesOf()
    const again = { operation: 'addNote', idempotencyKey: 'note', body: { text: 'two' } } as const
    const [first, second] = [await ask(pages, again), await ask(pages, again)]
    expect('body' in second && second.headers).toMatchObject({ 'idempotent-replayed': 'true' })
    expect(bodyOf(second)).toEqual(bodyOf(first))
    expect(second.audited).toMatchObject([{ surface: 'portal', outcome: 'replayed' }])
    expect(await notesOf()).toBe(before + 1)
    const other = { ...again, body: { text: 'three' } }
    expect(codeOf(await ask(pages, other))).toBe('idempotency_key_reused')
    const create = { operation: 'createPatient', idempotencyKey: 'twice', body: rivera } as const
    const patient = bodyOf(await ask(rest, create))
    const replayed = await ask(tools, create)
    expect(bodyOf(replayed)).toEqual(patient)
    expect(replayed.audited).toMatchObject([{ surface: 'mcp', outcome: 'replayed' }])
  })
})

describe('a surface refuses', () => {
  test('a call without a valid credential, with its own challenge', async () => {
    for (const [token, parameters] of [
      [null, ''],
      ['svc_sk_test_none', ', error="invalid_token"'],
    ] as const) {
      const refused = await ask(pages, { operation: 'readNotes', token })
      expect(codeOf(refused)).toBe('unauthorized')
      const headers = 'problem' in refused ? refused.problem.content.headers : {}
      expect(headers?.['www-authenticate']).toStartWith(challenge(parameters))
      expect(refused.audited).toMatchObject([{ surface: 'portal', actor: null }])
    }
  })

  test('a token limited to another surface, like an unknown one', async () => {
    const { pepper } = fixtures.context
    const tokenFor = (audience: Audience) =>
      fixtures.owner.use(connection =>
        issueToken(connection, pepper, {
          integration: fixtures.ada.integration,
          audience: [audience],
        }),
      )
    const [api, mcp] = [await tokenFor('api'), await tokenFor('mcp')]
    const codes = async (token: string) => [
      codeOf(await ask(rest, { operation: 'listPatients', token })),
      codeOf(await ask(tools, { operation: 'listPatients', token })),
    ]
    for (let times = 0; times < 2; times++) {
      expect(await codes(api.token)).toEqual([null, 'unauthorized'])
      expect(await codes(mcp.token)).toEqual(['unauthorized', null])
    }
  })

  test('a surface’s gate, schemas and handlers refuse calls', async () => {
    const live = await ask(pages, { operation: 'readNotes', token: fixtures.ada.live })
    expect(codeOf(live)).toBe('forbidden')
    expect(live.audited).toMatchObject([{ surface: 'portal', outcome: 'refused' }])
    const long = await ask(pages, { operation: 'addNote', body: { text: 'too long' } })
    expect(codeOf(long)).toBe('invalid_request')
    const gone = await ask(pages, { operation: 'addNote', body: { text: 'gone' } })
    expect(codeOf(gone)).toBe('gone')
    expect(gone.audited).toMatchObject([{ surface: 'portal', outcome: 'refused', code: 'gone' }])
  })

  test('a surface reports what its adapter couldn’t read along with all other faults', async () => {
    const faults = [
      { pointer: '#/text', code: 'required', message: 'text must be present.' },
    ] as const
    const read = { operation: 'readNotes', query: new URLSearchParams('other=1') } as const
    const write = { operation: 'addNote', body: { other: 1 } } as const
    const pointersOf = (outcome: object) =>
      'problem' in outcome && outcome.problem instanceof Problem
        ? outcome.problem.content.errors?.map(({ pointer }) => pointer)
        : null
    expect(pointersOf(await ask(pages, { ...read, faults }))).toEqual(['#/text', '?other'])
    expect(pointersOf(await ask(pages, { ...write, faults }))).toEqual([
      '#/text',
      '#/other',
      '#/text',
    ])
    const alone = { operation: 'addNote', body: { text: 'one' }, faults } as const
    expect(pointersOf(await ask(pages, alone))).toEqual(['#/text'])
    expect(pointersOf(await ask(pages, { operation: 'readNotes', faults }))).toEqual(['#/text'])
  })

  test('calls above the limit, which all surfaces share', async () => {
    const tight = { ...fixtures.context, limiter: createRateLimits(2) }
    const readNotes = { operation: 'readNotes' } as const
    expect(codeOf(await ask(pages, readNotes, tight))).toBeNull()
    expect(codeOf(await ask(rest, { operation: 'listPatients' }, tight))).toBeNull()
    const third = await ask(pages, readNotes, tight)
    expect(codeOf(third)).toBe('rate_limited')
    expect(third.audited).toMatchObject([{ surface: 'portal', code: 'rate_limited' }])
  })

  test('another surface’s operations', async () => {
    const calls = [
      // @ts-expect-error -- a surface has only its own table's IDs
      () => ask(rest, { operation: 'readNotes' }),
      // @ts-expect-error -- as above
      () => ask(pages, { operation: 'getPatient' }),
      // @ts-expect-error -- as above
      () => ask(tools, { operation: 'deletePatient' }),
      // @ts-expect-error -- as above
      () => ask(pages, { operation: 'constructor' }),
    ]
    for (const call of calls) {
      await expect(call()).rejects.toThrow('is not an operation of the surface')
    }
  })
})
