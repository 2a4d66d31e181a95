import { describe, expect, test } from 'bun:test'
import { allScopes } from '#contract/scopes.ts'
import { invoke } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'

const fixtures = useFixtures()

describe('getOrganization 200', () => {
  test('in test mode it’s the sandbox organization, with fields in schema order', async () => {
    const { text } = await invoke(fixtures, 'getOrganization')
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

  test('in live mode it’s the clinic that granted access', async () => {
    const { body } = await invoke(fixtures, 'getOrganization', { as: fixtures.ada.live })
    expect([body.id, body.slug, body.mode]).toEqual([fixtures.clinic, 'example-clinic', 'live'])
  })

  test('each integration has its own sandbox organization', async () => {
    const { body } = await invoke(fixtures, 'getOrganization', { as: fixtures.ben.test })
    expect(body.id).toBe(fixtures.ben.organization)
    expect(body.id).not.toBe(fixtures.ada.organization)
  })

  test('scopes are those in both the key and the grant, in published order', async () => {
    const { integration } = fixtures.ada
    const scopes = ['visits:read', 'cases:read', 'organization:read'] as const
    const as = await fixtures.key({ integration, mode: 'test', name: 'narrow', scopes })
    const { body } = await invoke(fixtures, 'getOrganization', { as })
    expect(body.scopes).toEqual(['organization:read', 'cases:read', 'visits:read'])
  })
})
