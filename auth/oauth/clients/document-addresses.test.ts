// Tests document URLs that are refused before anything is read.

import { expect, test } from 'bun:test'
import { asked, openHost, toDocumentHosts } from '../testing/document-hosts.ts'
import { useFixture } from '../testing/use-fixture.ts'

const fixture = await useFixture(toDocumentHosts)
const host = 'https://a.receiver.example'
const normal = 'client_id must be normalized'

test.each([
  [`${host}`, 'client_id must have a path'],
  [`${host}/`, 'client_id must have a path'],
  [`${host}/?client`, 'client_id must have a path'],
  [`${host}/client%2ejson`, normal],
  [`${host}/client%2Ejson`, normal],
  [`${host}:443/client.json`, normal],
  [`${host}/client.json#a`, 'client_id '],
  ['https://ada@a.receiver.example/client.json', 'client_id '],
  ['https://localhost/client.json', 'client_id '],
  ['https://vault.internal/client.json', 'client_id '],
])('%s is refused', async (clientId, says) => {
  const { status, text } = await asked(fixture, clientId)
  expect([status, text]).toEqual([400, expect.stringMatching(new RegExp(`^${says}`))])
})

test('a URL with 500 characters is read, and one with 501 is not', async () => {
  await using one = openHost()
  const long = (length: number) => `${one.url}?${'a'.repeat(length - one.url.length - 1)}`
  expect((await asked(fixture, long(500))).to).toStartWith('/consent/')
  const { status, text } = await asked(fixture, long(501))
  expect([status, text]).toEqual([
    400,
    expect.stringContaining('client_id must be a URL of at most 500 characters'),
  ])
  expect(one.received).toHaveLength(1)
})
