import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { allScopes } from '#contract/scopes.ts'
import { ask } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { expectFaults } from '../testing/assertions.ts'

let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await openFixtures()
})
afterAll(() => fixtures.close())

describe('200', () => {
  test('the sandbox organization, its seven members in the order of the schema', async () => {
    const { text } = await ask(fixtures, 'getOrganization')
    expect(text).toBe(
      JSON.stringify({
        id: fixtures.ada.organization,
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
    const { body } = await ask(fixtures, 'getOrganization', { as: fixtures.ada.live })
    expect([body.id, body.slug, body.mode]).toEqual([fixtures.clinic, 'example-clinic', 'live'])
  })

  test("two integrations' sandboxes are two organizations", async () => {
    const { body } = await ask(fixtures, 'getOrganization', { as: fixtures.ben.test })
    expect(body.id).toBe(fixtures.ben.organization)
    expect(body.id).not.toBe(fixtures.ada.organization)
  })

  test('scopes are those of the key that the clinic granted, in published order', async () => {
    const { integration } = fixtures.ada
    const scopes = ['visits:read', 'cases:read', 'organization:read'] as const
    const as = await fixtures.key({ integration, mode: 'test', name: 'narrow', scopes })
    const { body } = await ask(fixtures, 'getOrganization', { as })
    expect(body.scopes).toEqual(['organization:read', 'cases:read', 'visits:read'])
  })
})

describe('400', () => {
  test('a parameter is refused, and a date that names no version', async () => {
    expect(await expectFaults(fixtures, 'getOrganization', { query: 'expand=scopes' })).toEqual([
      ['?expand', 'unknown_field'],
    ])
    expect(await expectFaults(fixtures, 'getOrganization', { version: '2020-01-01' })).toEqual([
      ['API-Version:', 'not_in_enum'],
    ])
    expect((await ask(fixtures, 'getOrganization', { version: '2026-11-20' })).status).toBe(200)
  })
})
