// Tests tokens pinned to an organization by the token endpoint's parameter `organization`.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { deviceGrant, oauthPaths as paths } from '#contract/oauth.ts'
import type { Mode } from '#contract/operation.ts'
import { openModePools } from '#database/modes.ts'
import { sql } from '#database/sql.ts'
import { newId } from '../../ids.ts'
import { grant, issueKey, openOrganization } from '../../integrations.ts'
import { authenticateWithCache } from '../../testing/authenticate.ts'
import { agentTokens, authorize, exchange, refreshWith } from '../testing/agent.ts'
import { type Fixture, openFixture, peppers } from '../testing/fixture.ts'
import { type Form, newAgent, post, refused, tokenFor } from '../testing/requests.ts'

let fixture: Fixture
let gateways: ReturnType<typeof openModePools>
/** The integration's organizations: two organizations in test mode, one in live mode, and one that
 *  the integration can't access. */
let organizations: Record<'second' | 'live' | 'foreign', string>
beforeAll(async () => {
  fixture = await openFixture()
  gateways = openModePools({ urls: fixture.database.urls, size: 1, name: 'gateway' })
  const open = (slug: string) =>
    fixture.owner.use(connection => openOrganization(connection, 'Clinic', slug))
  organizations = {
    second: await open('second'),
    live: await open('live'),
    foreign: await open('foreign'),
  }
  await fixture.goLive()
  await granted('test', organizations.second)
  await granted('live', organizations.live)
})
afterAll(async () => {
  await Promise.all([gateways.test.close(), gateways.live.close()])
  await fixture.close()
})

const granted = (mode: Mode, organization: string) =>
  fixture.owner.use(connection =>
    grant(connection, { integration: fixture.integration, organization, mode }),
  )

/** The organizations that a key or token can access. */
async function reachOf(token: unknown, mode: Mode = 'test') {
  const presented = { token: String(token), mode, organization: null, audience: 'api' } as const
  const found = await gateways[mode].use(connection =>
    authenticateWithCache(connection, peppers, presented),
  )
  return found?.organizations.map(({ id }) => id)
}

async function newClient(options: Parameters<Fixture['addClient']>[0] & { pin?: string } = {}) {
  const { pin, ...rest } = options
  const { id, secret } = await fixture.addClient(rest)
  if (pin !== undefined) {
    await fixture.run(sql`update auth.clients set organization = ${pin} where id = ${id}`)
  }
  return (form: Form = {}) =>
    tokenFor(fixture, {
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
      ...form,
    })
}

const sentence = "organization must have granted this integration access in the client's mode"

describe('200: a confidential client’s token', () => {
  test('is pinned like a key', async () => {
    const mint = await newClient()
    const { second } = organizations
    const { integration, organization } = fixture
    expect((await reachOf((await mint()).body['access_token']))?.toSorted()).toEqual(
      [organization, second].toSorted(),
    )
    for (const pin of [organization, second]) {
      const { body } = await mint({ organization: pin })
      const key = await fixture.owner.use(connection =>
        issueKey(connection, peppers[0], {
          integration,
          mode: 'test',
          name: 'k',
          organization: pin,
        }),
      )
      expect(await reachOf(key.key)).toEqual([pin])
      expect(await reachOf(body['access_token'])).toEqual([pin])
      const rows = await fixture.run(sql`
        select e.organization from audit.entries e join auth.credentials k on k.id = e.target
         where k.hash = ${fixture.secrets.hash(String(body['access_token']))}`)
      expect(rows).toEqual([{ organization: pin }])
    }
  })

  test('can access nothing once its organization withdraws, even if others remain', async () => {
    const withdrawn = await fixture.owner.use(connection =>
      openOrganization(connection, 'Clinic', 'withdrawn'),
    )
    await granted('test', withdrawn)
    const mint = await newClient()
    const { body } = await mint({ organization: withdrawn })
    expect(await reachOf(body['access_token'])).toEqual([withdrawn])
    await fixture.run(
      sql`update auth.grants set status = 'revoked' where organization = ${withdrawn}`,
    )
    expect(await reachOf(body['access_token'])).toEqual([])
    expect(refused(await mint({ organization: withdrawn }))).toEqual([400, 'invalid_target'])
  })

  test('a live token is pinned to an organization that granted live access', async () => {
    const mint = await newClient({ mode: 'live' })
    const { live, second } = organizations
    const { body } = await mint({ organization: live })
    expect(await reachOf(body['access_token'], 'live')).toEqual([live])
    expect(refused(await mint({ organization: second }))).toEqual([400, 'invalid_target'])
  })

  test('a pinned client’s token can name only its organization', async () => {
    const { second } = organizations
    const mint = await newClient({ pin: second })
    for (const form of [{}, { organization: second }]) {
      expect(await reachOf((await mint(form)).body['access_token'])).toEqual([second])
    }
    const other = await mint({ organization: fixture.organization })
    expect([...refused(other), other.body['error_description']]).toEqual([
      400,
      'invalid_target',
      sentence,
    ])
  })
})

describe('400: an organization', () => {
  test('an organization without a grant, in the other mode, or unknown gets the same refusal', async () => {
    const mint = await newClient()
    const unknown = newId('organization')
    const { foreign, live } = organizations
    for (const organization of [foreign, live, unknown, 'org_1', `${unknown}'`]) {
      const answer = await mint({ organization })
      expect([...refused(answer), answer.body['error_description']]).toEqual([
        400,
        'invalid_target',
        sentence,
      ])
    }
    const twice = await mint({ organization: [fixture.organization, organizations.second] })
    expect(refused(twice)).toEqual([400, 'invalid_request'])
  })

  test('is not checked for a client with a wrong secret', async () => {
    const { id } = await fixture.addClient()
    for (const organization of [fixture.organization, organizations.foreign]) {
      const form = { client_id: id, client_secret: 'wrong', organization }
      const answer = await tokenFor(fixture, { grant_type: 'client_credentials', ...form })
      expect(refused(answer)).toEqual([401, 'invalid_client'])
    }
  })
})

describe('an agent', () => {
  test('pins each access token it requests, and a refused pin uses nothing up', async () => {
    const { foreign, second } = organizations
    const { client, verifier, query } = await authorize(fixture)
    const code = query?.['code'] ?? ''
    const refusal = await exchange(fixture, { client, verifier, code, organization: foreign })
    expect(refused(refusal)).toEqual([400, 'invalid_target'])
    const resource = fixture.resources.mcp
    const first = await exchange(fixture, {
      client,
      verifier,
      code,
      organization: second,
      resource,
    })
    expect(first.status).toBe(200)
    const refresh = String(first.body['refresh_token'])
    expect(refused(await refreshWith(fixture, client, refresh, { organization: foreign }))).toEqual(
      [400, 'invalid_target'],
    )
    const next = await refreshWith(fixture, client, refresh)
    expect(next.status).toBe(200)
    const rows = await fixture.run(sql`
      select organization from auth.credentials where client = ${client} order by id`)
    expect(rows).toEqual([{ organization: second }, { organization: null }])
  })

  test('can access only its token’s organization', async () => {
    const { second } = organizations
    const params = { resource: fixture.resources.api }
    const { client, access, refresh } = await agentTokens(fixture, { params }, params)
    expect(await reachOf(access)).toHaveLength(2)
    const { body } = await refreshWith(fixture, client, refresh, { organization: second })
    expect(await reachOf(body['access_token'])).toEqual([second])
  })
})

test('a device pins its token', async () => {
  const client = await newAgent(fixture)
  const { second, foreign } = organizations
  const asked = { client_id: client, scope: 'events:read', resource: fixture.resources.api }
  const { body } = await post(fixture, paths.deviceAuthorization, asked)
  const { integration, people } = fixture
  const page = (more: Record<string, string>) =>
    fetch(
      `${fixture.issuer}/device?${new URLSearchParams({
        user_code: String(body['user_code']),
        person: people.owner,
        ...more,
      })}`,
    )
  await page({})
  await page({ decide: 'approve', integration })
  const form = {
    grant_type: deviceGrant,
    client_id: client,
    device_code: String(body['device_code']),
  }
  const refusal = await tokenFor(fixture, { ...form, organization: foreign })
  expect(refused(refusal)).toEqual([400, 'invalid_target'])
  const answer = await tokenFor(fixture, { ...form, organization: second })
  expect(await reachOf(answer.body['access_token'])).toEqual([second])
})

test('no request logged a failure', () => expect(fixture.failures).toEqual([]))
