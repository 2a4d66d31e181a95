// When the audit row of a refusal is stored: before the answer to a client that is known, behind
// every other answer, and before the server closes.

import { expect, test } from 'bun:test'
import { oauthPaths as paths } from '#contract/oauth.ts'
import { sql } from '#database/sql.ts'
import { openRefusalLog } from './audit.ts'
import { serve } from './testing/fixture.ts'
import { type Answer, refused, register, tokenFor } from './testing/requests.ts'
import { holding } from './testing/server-processes.ts'
import { useFixture } from './testing/use-fixture.ts'

const fixture = await useFixture()

const noRow = sql`lock table audit.entries in exclusive mode`
const codesOf = async (client: string) =>
  (
    await fixture.run<{ code: string }>(
      sql`select code from audit.entries where client = ${client} order by seq`,
    )
  ).map(({ code }) => code)
/** The server has answered what it could of what was sent before. */
const settled = async () => {
  for (let asked = 0; asked < 3; asked++) await fetch(`${fixture.issuer}${paths.metadata}`)
}

test('a refusal waits for its row where the client is known, and nowhere else', async () => {
  const { id: client_id } = await fixture.addClient()
  const answered: Answer[] = []
  const sent: Promise<unknown>[] = []
  await holding(fixture, noRow, async () => {
    const form = { grant_type: 'refresh_token', refresh_token: 'x', client_id }
    expect(refused(await tokenFor(fixture, form))).toEqual([401, 'invalid_client'])
    expect(refused(await register(fixture, []))).toEqual([400, 'invalid_client_metadata'])
    const late = tokenFor(fixture, { grant_type: 'password', client_id })
    sent.push(late.then(answer => answered.push(answer)))
    await settled()
    expect(answered).toEqual([])
  })
  await Promise.all(sent)
  expect(answered.map(refused)).toEqual([[400, 'unsupported_grant_type']])
  expect(await codesOf(client_id)).toEqual(['invalid_client', 'unsupported_grant_type'])
})

test('a server that closes stores the rows that wait', async () => {
  const { id: client_id } = await fixture.addClient()
  const { database, resources } = fixture
  const served = await serve({ url: database.urls.auth, resources })
  const closing: Promise<void>[] = []
  let isClosed = false
  await holding(fixture, noRow, async () => {
    const form = { grant_type: 'refresh_token', refresh_token: 'x', client_id }
    expect((await tokenFor({ ...fixture, ...served }, form)).status).toBe(401)
    closing.push(served.auth.close().then(() => void (isClosed = true)))
    await settled()
    expect(isClosed).toBe(false)
  })
  await Promise.all(closing)
  expect(await codesOf(client_id)).toEqual(['invalid_client'])
  await served.stop()
})

test('a log of refusals waits for a single one, too', async () => {
  const stored = Promise.withResolvers<[]>()
  let isFlushed = false
  const log = openRefusalLog({
    use: () => stored.promise as Promise<never>,
    roundTrips: () => 0,
    close: async () => undefined,
  })
  const call = { requestId: 'req_1', address: null, agent: null }
  const refusal = { outcome: 'refused', status: 400, code: 'x', client: null } as const
  void log.record(call, { action: 'oauth.token', ...refusal })
  const flushed = log.flush().then(() => void (isFlushed = true))
  await settled()
  expect(isFlushed).toBe(false)
  stored.resolve([])
  await flushed
})
