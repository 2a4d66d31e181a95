import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { allScopes } from '#contract/scopes.ts'
import { ask } from '../testing/call.ts'
import { type Cast, openCast } from '../testing/fixtures.ts'
import { faulty } from '../testing/assertions.ts'

let cast: Cast
beforeAll(async () => {
  cast = await openCast()
})
afterAll(() => cast.close())

describe('200', () => {
  test('the sandbox organization, its seven members in the order of the schema', async () => {
    const { text } = await ask(cast, 'getOrganization')
    expect(text).toBe(
      JSON.stringify({
        id: cast.ada.organization,
        name: 'Harbor Telehealth Clinic (sandbox)',
        slug: 'harbor-sandbox',
        kind: 'DIRECT',
        status: 'active',
        mode: 'test',
        scopes: allScopes,
      }),
    )
  })

  test('in live it is the clinic that granted access', async () => {
    const { body } = await ask(cast, 'getOrganization', { as: cast.ada.live })
    expect([body.id, body.slug, body.mode]).toEqual([cast.clinic, 'example-clinic', 'live'])
  })

  test("two integrations' sandboxes are two organizations", async () => {
    const { body } = await ask(cast, 'getOrganization', { as: cast.ben.test })
    expect(body.id).toBe(cast.ben.organization)
    expect(body.id).not.toBe(cast.ada.organization)
  })

  test('scopes are those of the key that the clinic granted, in published order', async () => {
    const { integration } = cast.ada
    const scopes = ['visits:read', 'cases:read', 'organization:read'] as const
    const as = await cast.key({ integration, mode: 'test', name: 'narrow', scopes })
    const { body } = await ask(cast, 'getOrganization', { as })
    expect(body.scopes).toEqual(['organization:read', 'cases:read', 'visits:read'])
  })
})

describe('400', () => {
  test('a parameter is refused, and a date that names no version', async () => {
    expect(await faulty(cast, 'getOrganization', { query: 'expand=scopes' })).toEqual([
      ['?expand', 'unknown_field'],
    ])
    expect(await faulty(cast, 'getOrganization', { version: '2020-01-01' })).toEqual([
      ['API-Version:', 'not_in_enum'],
    ])
    expect((await ask(cast, 'getOrganization', { version: '2026-11-20' })).status).toBe(200)
  })
})
