// Tests that simultaneous requests for confidential clients' tokens share a statement.

import { expect, test } from 'bun:test'
import { limits } from '#contract/limits.ts'
import { oauthPaths as paths } from '#contract/oauth.ts'
import { openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { newId } from '../../ids.ts'
import { createSecrets } from '../secrets.ts'
import { peppers } from '../testing/fixture.ts'
import { type Answer, basic, post, tokenFor } from '../testing/requests.ts'
import { holding, statements } from '../testing/server-processes.ts'
import { useFixture } from '../testing/use-fixture.ts'
import { createMinting } from './mint-client-tokens.ts'

const fixture = await useFixture()

type Client = { id: string; secret: string }

const mint = ({ id, secret }: Client, address = '203.0.113.7', scope = 'patients:read') =>
  tokenFor(
    fixture,
    { grant_type: 'client_credentials', scope },
    { headers: { ...basic(id, secret), 'test-address': address } },
  )

const token = ({ body }: Answer) => String(body['access_token'])

const stored = (value: string) =>
  fixture.run<{ id: string; client: string; address: string }>(sql`
    select k.id, k.client, e.address from auth.credentials k
      join audit.entries e on e.target = k.id and e.action = 'oauth.token'
     where k.hash = ${fixture.secrets.hash(value)}`)

const isActive = async (value: string, by: Client) =>
  (await post(fixture, paths.introspection, { token: value }, { headers: basic(by.id, by.secret) }))
    .body['active']

/** Every new token refers to its integration, so no statement finishes while this lock is held. */
const integration = () =>
  sql`select from auth.integrations where id = ${fixture.integration} for update`

/** Sends requests; all but the first two arrive while statements run. */
async function atOnce(send: () => Promise<Answer>[]): Promise<Answer[]> {
  let all: Promise<Answer>[] = []
  await holding(fixture, integration(), async () => {
    all = send()
    await until(async () => (await statements(fixture)).waiting === 2)
    // Gives the other requests time to arrive.
    await fetch(`${fixture.issuer}/.well-known/oauth-authorization-server`)
  })
  return Promise.all(all)
}

test('each request gets its own response, token and audit row', async () => {
  const clients = await Promise.all(Array.from({ length: 12 }, () => fixture.addClient()))
  const narrow = await fixture.addClient({ scopes: ['cases:read'] })
  const other = clients[0] as Client
  const answers = await atOnce(() => [
    ...clients.map((client, at) => mint(client, `203.0.113.${at}`)),
    mint({ id: other.id, secret: (clients[1] as Client).secret }),
    mint(narrow),
  ])
  const refused = answers.slice(12).map(({ status, body }) => [status, body['error']])
  expect(refused).toEqual([
    [401, 'invalid_client'],
    [400, 'invalid_scope'],
  ])
  for (const [at, client] of clients.entries()) {
    const answer = answers[at] as Answer
    expect(answer.status).toBe(200)
    expect(await stored(token(answer))).toMatchObject([
      { client: client.id, address: `203.0.113.${at}` },
    ])
  }
})

test('a client over its token limit after simultaneous requests is back under it after the next one', async () => {
  const client = await fixture.addClient()
  const answers = await atOnce(() =>
    Array.from({ length: limits.clientTokensMax + 10 }, () => mint(client)),
  )
  expect(new Set(answers.map(token)).size).toBe(limits.clientTokensMax + 10)
  const last = await mint(client)
  const [row] = await fixture.run<{ count: number }>(sql`
    select count(*)::int as count from auth.credentials where client = ${client.id}`)
  expect(row?.count).toBe(limits.clientTokensMax)
  expect(await stored(token(last))).toHaveLength(1)
})

test('a token stored while its client is revoked is not valid', async () => {
  const [client, witness] = [await fixture.addClient(), await fixture.addClient()]
  // The first token in a minute updates the client's row, which would block the revocation.
  await mint(client)
  const asking: Promise<Answer>[] = []
  await holding(fixture, integration(), async () => {
    asking.push(mint(client))
    await until(async () => (await statements(fixture)).waiting === 1)
    await fixture.run(sql`update auth.clients set revoked_at = now() where id = ${client.id}`)
  })
  const [answer] = (await Promise.all(asking)) as [Answer]
  expect(answer.status).toBe(200)
  expect(await stored(token(answer))).toHaveLength(1)
  expect(await isActive(token(answer), witness)).toBe(false)
  expect((await mint(client)).status).toBe(401)
})

test('no request waits for a row locked by another statement', async () => {
  const client = await fixture.addClient()
  for (let made = 0; made < limits.clientTokensMax; made++) await mint(client)
  await fixture.run(sql`update auth.clients set last_token_at = null where id = ${client.id}`)
  const rows = sql`select from auth.credentials k join auth.clients c on c.id = k.client
                    where c.id = ${client.id} for update of k, c`
  const answer = await holding(fixture, rows, () => mint(client)).catch(
    (failure: unknown) => failure,
  )
  expect((answer as Answer).status).toBe(200)
})

test('a request fails if its secret can’t be rehashed, unless the disk is full', async () => {
  const { id, secret } = await fixture.addClient()
  const secrets = createSecrets(['a newer pepper', ...peppers])
  const pool = openPool({ url: fixture.database.urls.auth, size: 1, name: 'minting' })
  const mintWith = (failure: unknown) => {
    const value = { hash: secrets.hash(newId('token')).toHex(), last4: 'abcd' }
    const mintToken = createMinting({
      ...pool,
      use: work =>
        pool.use(connection =>
          work({
            run: statement =>
              statement.text.includes('auth.rehash_client_secret')
                ? Promise.reject(failure)
                : connection.run(statement),
          }),
        ),
    })
    return mintToken({
      call: { requestId: 'req_1', address: null, agent: null },
      token: newId('token'),
      client: id,
      secrets: secrets.hexHashes(secret),
      values: { test: value, live: value },
      pepper: secrets.pepper,
      scopes: null,
      audience: null,
      organization: null,
    })
  }
  expect((await mintWith({ errno: '53100' }))?.is_issued).toBe(true)
  await expect(mintWith(new Error('lost'))).rejects.toThrow('lost')
  await pool.close()
})
