// Duplicates of a write that arrive at the worst times: while it runs, just after it commits, and
// after its response is lost.

import { afterEach, expect, test } from 'bun:test'
import { connect, createServer, type AddressInfo } from 'node:net'
import { forEachRole } from '#database/roles.ts'
import { sql } from '#database/sql.ts'
import { createContext } from '../context.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invoke, invokeOk, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { runIntoLock } from '../testing/races.ts'

const fixtures = useFixtures()
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

/** Every write to a tenant waits for this lock after taking its key and reading its record. */
const tenantsLock = sql`select from test.tenants for update`
const patientsNamed = (external_id: string) =>
  queryAsOwner(fixtures, sql`select from test.patients where external_id = ${external_id}`)

test('idempotency: a duplicate of a running request is refused immediately and writes nothing', async () => {
  const options = { key: 'running', body: { ...rivera, external_id: 'running' } }
  const duplicate = () => invoke(fixtures, 'createPatient', options)
  const [first, second] = await runIntoLock(fixtures, tenantsLock, [duplicate, duplicate])
  expect([first?.status, second?.code]).toEqual([201, 'idempotency_in_progress'])
  expect(second?.headers['retry-after']).toBe('1')
  expect(await patientsNamed('running')).toHaveLength(1)
})

test('idempotency: a duplicate committed during the write is replayed, not deleted', async () => {
  const body = { ...rivera, external_id: 'committed' }
  const first = await invoke(fixtures, 'createPatient', { key: 'earlier', body })
  // The record appears after the second statement has read that none exists.
  const [second] = await runIntoLock(
    fixtures,
    tenantsLock,
    [() => invoke(fixtures, 'createPatient', { key: 'committed', body })],
    connection =>
      connection.run(sql`update test.idempotency_keys set key = 'committed' where key = 'earlier'`),
  )
  expect([second?.text, second?.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
  expect(await patientsNamed('committed')).toHaveLength(1)
})

/** Opens a relay to the database. The first time a response has this text, the relay closes the
 *  connection instead of forwarding it: the statement is committed, but the caller can't tell. */
async function openRelay(url: string, text: string) {
  const { hostname, port } = new URL(url)
  let isArmed = true
  const server = createServer(client => {
    const upstream = connect(Number(port), hostname)
    client.pipe(upstream)
    upstream.on('data', (bytes: Buffer) => {
      if (!isArmed || !bytes.includes(text)) return void client.write(bytes)
      isArmed = false
      client.destroy()
      upstream.destroy()
    })
    for (const socket of [client, upstream]) socket.on('error', () => undefined)
    client.on('close', () => upstream.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const relayed = (direct: string) => {
    const address = new URL(direct)
    address.port = String((server.address() as AddressInfo).port)
    return address.href
  }
  return { relayed, wasCut: () => !isArmed, close: () => void server.close() }
}

test('idempotency: a write whose response was lost after the commit gets that response', async () => {
  const relay = await openRelay(fixtures.database.url, 'Lost the answer')
  const context = createContext({
    isLiveOpen: () => true,
    urls: forEachRole(role => relay.relayed(fixtures.database.urls[role])),
    poolSize: 1,
    pepper: fixtures.context.pepper,
    base: fixtures.context.base,
    storage: { folder: fixtures.folder },
    rateLimit: 1,
    onError: failure => void fixtures.errors.push(failure),
  })
  const body = { ...rivera, first_name: 'Lost the answer', external_id: 'lost' }
  const options = { key: 'lost', body }
  // The limit is one call a minute. The attempt whose response was lost counts as the same call.
  const first = await invoke({ ...fixtures, context }, 'createPatient', options)
  expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined])
  expect([relay.wasCut(), await patientsNamed('lost')]).toEqual([true, [{}]])
  const again = await invoke(fixtures, 'createPatient', options)
  expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
  await context.close()
  relay.close()
})

test('idempotency: deleting a patient erases the responses about reserved uploads', async () => {
  const { id: patient } = await invokeOk(fixtures, 'createPatient', { body: rivera })
  const options = { key: 'reserved', body: { patient, mime: 'image/png' } }
  expect((await invokeOk(fixtures, 'createFile', options)).upload_url).toBeString()
  await invokeOk(fixtures, 'deletePatient', { id: patient })
  const replay = await invoke(fixtures, 'createFile', options)
  expect([replay.status, replay.text]).toEqual([201, `{"id":"${patient}","deleted":true}`])
})
