// Tests what counts toward the registration quotas: a network's last hour, everyone's last day, and
// documents read for the first time.

import { describe, expect, test } from 'bun:test'
import { limits } from '#contract/limits.ts'
import { sql, type Statement } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { authorizeUrl, newVerifier } from '../testing/agent.ts'
import {
  asked,
  documentOf,
  json,
  openHost,
  rowOf,
  toDocumentHosts,
} from '../testing/document-hosts.ts'
import { redirectUri } from '../testing/fixture.ts'
import { register } from '../testing/requests.ts'
import { useFixture } from '../testing/use-fixture.ts'

const fixture = await useFixture(toDocumentHosts)

let networks = 0
/** A client in its own network, and that network's registrations. */
async function newNetwork() {
  const headers = { 'test-address': `198.51.100.${++networks}` }
  const from = () => register(fixture, { redirect_uris: [redirectUri] }, { headers })
  const { body } = await from()
  const network = sql`(select network from auth.clients where id = ${String(body['client_id'])})`
  return { network, register: async () => (await from()).status }
}

/** Inserts this many registrations. */
const insert = (count: number, network: Statement, more: Statement) =>
  fixture.run(sql`
    insert into auth.clients (id, kind, name, network, created_at, last_token_at, integration, mode,
                              scopes)
    select 'cli_' || substr(md5(random()::text || n::text), 1, 26), made.kind, 'x', ${network},
           made.created_at, made.last_token_at, made.integration, made.mode, made.scopes
      from generate_series(1, ${count}::int) n,
           (select ${more}) as made (kind, created_at, last_token_at, integration, mode, scopes)`)
const registeredBefore = (time: string, token: Statement = sql`null::timestamptz`) => sql`
  'registered'::text, now() - ${time}::text::interval, ${token}, null::text, null::text,
  null::text[]`

describe('a registration', () => {
  test('counts for an hour in its network', async () => {
    for (const [time, status] of [
      ['61 minutes', 201],
      ['59 minutes', 429],
    ] as const) {
      const { network, register } = await newNetwork()
      await insert(58, network, registeredBefore(time))
      expect([time, await register(), await register()]).toEqual([time, 201, status])
    }
  })

  test('counts for a day in total, even if the client gets tokens', async () => {
    const { register } = await newNetwork()
    const token = sql`now() - interval '1 hour'`
    await insert(10_000, sql`n::text`, registeredBefore('25 hours', token))
    expect(await register()).toBe(201)
    const registeredAt = (time: string) =>
      fixture.run(sql`
        update auth.clients set created_at = now() - ${time}::text::interval
         where network ~ '^[0-9]+$'`)
    await registeredAt('23 hours')
    expect(await register()).toBe(429)
    await registeredAt('25 hours')
    expect(await register()).toBe(201)
  }, 20_000)

  test('is not counted when an integration creates a client', async () => {
    const { network, register } = await newNetwork()
    await fixture.run(sql`alter table auth.clients disable trigger user`)
    await insert(
      10_000,
      network,
      sql`'confidential'::text, now(), null::timestamptz, ${fixture.integration}::text,
          'test'::text, array['cases:read']`,
    )
    await fixture.run(sql`alter table auth.clients enable trigger user`)
    expect(await register()).toBe(201)
  }, 20_000)
})

test('a document counts when it is first read, but not when it is read again', async () => {
  await using host = openHost()
  expect((await asked(fixture, host.url)).to).toStartWith('/consent/')
  const network = sql`(select network from auth.clients where document_url = ${host.url})`
  await insert(60, network, registeredBefore('1 minute'))
  const { status, text } = await asked(fixture, `${host.url}?another`)
  expect([status, text]).toEqual([
    429,
    expect.stringContaining('your network must not register more than 60 clients an hour'),
  ])
  await fixture.run(sql`
    update auth.clients set document_expires_at = now() - interval '1 ms'
     where document_url = ${host.url}`)
  host.made.answer = url => json(documentOf(url, { client_name: 'Renamed' }))
  expect((await asked(fixture, host.url)).to).toStartWith('/consent/')
  const { id = '', name } = (await rowOf(fixture, host.url)) ?? {}
  expect(name).toBe('Renamed')
  const audited = await fixture.run(sql`
    select status from audit.entries where action = 'oauth.register' and target = ${id}`)
  expect(audited).toEqual([{ status: 201 }])
})

test('callers who share a read of a document need only their own quota', async () => {
  const full = await newNetwork()
  const address = `198.51.100.${networks}`
  await insert(limits.registrationsPerWindow, full.network, registeredBefore('1 minute'))
  const gate = Promise.withResolvers<void>()
  await using host = openHost(async url => {
    await gate.promise
    return json(documentOf(url))
  })
  const statusFrom = async (from: string) => {
    const url = new URL(authorizeUrl(host.url, newVerifier()), fixture.issuer)
    return (await fetch(url, { redirect: 'manual', headers: { 'test-address': from } })).status
  }
  const reader = statusFrom(address)
  await until(() => host.received.length === 1)
  const others = [1, 2, 3, 4].map(other => statusFrom(`192.0.2.${other}`))
  // Sent after the others, so they wait for the document once it has its response.
  await newNetwork()
  gate.resolve()
  expect(await Promise.all(others)).toEqual([303, 303, 303, 303])
  await reader
})
