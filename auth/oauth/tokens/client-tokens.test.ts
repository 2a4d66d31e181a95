// Tests the requirements for a confidential client's token (its secrets, live mode's conditions and
// its organization), and that other clients aren't affected.

import { describe, expect, test } from 'bun:test'
import { randomBytes } from '#database/clock.ts'
import { oauthPaths as paths } from '#contract/oauth.ts'
import { sql } from '#database/sql.ts'
import { newId } from '../../ids.ts'
import { grant, openIntegration, openOrganization } from '../../integrations.ts'
import { acceptAgreement } from '../../testing/administration.ts'
import { mintClientSecret } from '../../tokens.ts'
import { agentTokens, authorize, exchange, refreshWith } from '../testing/agent.ts'
import { basic, newAgent, newClient, post, refused, tokenFor } from '../testing/requests.ts'
import { useFixture } from '../testing/use-fixture.ts'

const fixture = await useFixture()
const hash = (value: unknown) => fixture.secrets.hash(String(value))

const openClinic = () =>
  fixture.owner.use(connection =>
    openOrganization(connection, 'Clinic', `clinic-${crypto.randomUUID()}`),
  )
const openOther = () => fixture.owner.use(connection => openIntegration(connection, 'Other'))
const grantTo = (integration: string, organization: string, mode: 'test' | 'live') =>
  fixture.owner.use(connection => grant(connection, { integration, organization, mode }))
const introspect = (token: string, { id, secret }: { id: string; secret: string }) =>
  post(fixture, paths.introspection, { token }, { headers: basic(id, secret) })

describe('a client’s secret', () => {
  test('is valid at every endpoint until it expires or is revoked', async () => {
    const client = await newClient(fixture)
    const states = {
      'without an end': sql`expires_at = null`,
      'that ends later': sql`expires_at = now() + interval '1 minute'`,
      'that has ended': sql`expires_at = now() - interval '1 ms'`,
      'that was revoked': sql`expires_at = null, revoked_at = now()`,
    }
    for (const [what, state] of Object.entries(states)) {
      const secret = mintClientSecret(randomBytes(32))
      await client.addSecret(secret)
      await fixture.run(sql`update auth.client_secrets set ${state} where hash = ${hash(secret)}`)
      const statuses = [
        (await client.mint({ client_secret: secret })).status,
        (await introspect('x', { id: client.id, secret })).status,
      ]
      const isValid = what.startsWith('without') || what.endsWith('later')
      expect([what, ...statuses]).toEqual([what, ...(isValid ? [200, 200] : [401, 401])])
    }
  })

  test('is invalid while the integration is suspended', async () => {
    const { integration } = await openOther()
    const client = await fixture.addClient({ integration })
    await fixture.run(sql`
      update auth.integrations set suspended_at = now() where id = ${integration}`)
    expect((await introspect('x', client)).status).toBe(401)
    expect((await introspect('x', await fixture.addClient())).status).toBe(200)
  })

  test('does not exist for a client that registered itself', async () => {
    const client_id = await newAgent(fixture)
    const form = { grant_type: 'client_credentials', client_id, client_secret: 'x' }
    expect(refused(await tokenFor(fixture, form))).toEqual([401, 'invalid_client'])
  })
})

describe('a live token', () => {
  test('needs the same integration’s agreement and active live grant', async () => {
    const { integration } = await openOther()
    const [clinic, another] = [await openClinic(), await openClinic()]
    const other = await openOther()
    await grantTo(other.integration, clinic, 'live')
    const { mint, id } = await newClient(fixture, { integration, mode: 'live' })
    const asked = async () => {
      const { status, body } = await mint()
      return [status, body['error_description']]
    }
    const lacking = [400, 'live tokens need an agreement in effect and an active grant']
    expect(await asked()).toEqual(lacking)
    // The sandbox granted access in test mode, and the clinic granted another integration access.
    await fixture.owner.use(connection => acceptAgreement(connection, integration, '1'))
    expect(await asked()).toEqual(lacking)
    await grantTo(integration, clinic, 'live')
    expect((await asked())[0]).toBe(200)
    const pin = (organization: string) =>
      fixture.run(sql`update auth.clients set organization = ${organization} where id = ${id}`)
    await pin(another)
    expect(await asked()).toEqual(lacking)
    await pin(clinic)
    expect((await asked())[0]).toBe(200)
    await fixture.run(sql`update auth.grants set status = 'revoked' where organization = ${clinic}`)
    expect(await asked()).toEqual(lacking)
  })
})

test('an organization that granted another integration access pins no token', async () => {
  const [clinic, other] = [await openClinic(), await openOther()]
  await grantTo(other.integration, clinic, 'test')
  await fixture.addClient({ integration: other.integration })
  const { mint } = await newClient(fixture)
  expect(refused(await mint({ organization: clinic }))).toEqual([400, 'invalid_target'])
  const { client, verifier, query } = await authorize(fixture)
  const code = query?.['code'] ?? ''
  const answer = await exchange(fixture, { client, verifier, code, organization: clinic })
  expect(refused(answer)).toEqual([400, 'invalid_target'])
  expect((await exchange(fixture, { client, verifier, code })).status).toBe(200)
})

test('a refresh token from another integration is not active for a client, nor is an ended one', async () => {
  const { integration } = await openOther()
  const person = newId('person')
  await fixture.run(sql`
    insert into auth.persons (id, email, name) values (${person}, ${`${person}@example.com`}, 'Ben')`)
  await fixture.run(sql`
    insert into auth.members (integration, person, role) values (${integration}, ${person}, 'owner')`)
  const own = await agentTokens(fixture)
  const theirs = await agentTokens(fixture, { person, integration })
  expect(theirs.answer.status).toBe(200)
  const client = await fixture.addClient()
  const isActive = async (token: string) => (await introspect(token, client)).body['active']
  expect([await isActive(own.refresh), await isActive(theirs.refresh)]).toEqual([true, false])
  await fixture.run(sql`
    update auth.token_families set revoked_at = now() where client = ${own.client}`)
  expect(await isActive(own.refresh)).toBe(false)
})

describe('another client', () => {
  const usedAt = async (client: string) => {
    const [row] = await fixture.run<{ at: string | null }>(
      sql`select iso(last_token_at) as at from auth.clients where id = ${client}`,
    )
    return row?.at ?? null
  }
  const count = async (client: string) =>
    (await fixture.run(sql`select from auth.credentials where client = ${client}`)).length

  test('no token is dropped, and no use recorded', async () => {
    const [busy, quiet, unused] = [
      await newClient(fixture),
      await newClient(fixture),
      await newClient(fixture),
    ]
    await quiet.mint()
    await fixture.run(sql`
      update auth.credentials set created_at = now() - interval '5 minutes' where client = ${quiet.id}`)
    for (let made = 0; made < 22; made++) await busy.mint()
    expect([await count(busy.id), await count(quiet.id)]).toEqual([20, 1])
    expect(await usedAt(unused.id)).toBeNull()
  })

  test('a client’s last token time is recorded at most once a minute', async () => {
    const { id, mint } = await newClient(fixture)
    const agent = await agentTokens(fixture)
    const refresh = { value: agent.refresh }
    const next = async () => {
      const form = { grant_type: 'refresh_token', client_id: agent.client }
      const { status, body } = await tokenFor(fixture, { ...form, refresh_token: refresh.value })
      expect(status).toBe(200)
      refresh.value = String(body['refresh_token'])
    }
    await mint()
    for (const [client, use] of [
      [id, mint],
      [agent.client, next],
    ] as const) {
      expect(await usedAt(client)).not.toBeNull()
      for (const [seconds, isRecorded] of [
        [50, false],
        [61, true],
      ] as const) {
        await fixture.run(sql`
          update auth.clients set last_token_at = now() - ${seconds}::int * interval '1 second'
           where id = ${client}`)
        const before = await usedAt(client)
        await use()
        expect([seconds, (await usedAt(client)) !== before]).toEqual([seconds, isRecorded])
      }
    }
  })

  test('an agent that gets a token uses up nothing and ends nothing', async () => {
    const witness = await agentTokens(fixture)
    const unused = await newAgent(fixture)
    const { client, refresh } = await agentTokens(fixture)
    const { body } = await refreshWith(fixture, client, refresh)
    await refreshWith(fixture, client, String(body['refresh_token']))
    expect(refused(await refreshWith(fixture, client, refresh))).toEqual([400, 'invalid_grant'])
    expect(await usedAt(unused)).toBeNull()
    const [family] = await fixture.run(sql`
      select revoked_at from auth.token_families where client = ${witness.client}`)
    expect(family).toEqual({ revoked_at: null })
  })
})
