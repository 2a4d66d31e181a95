import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openViewer } from '#clinical/viewer/viewer.ts'
import { createEncryption } from '#database/encryption.ts'
import { openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { testDatabase, type TestDatabase } from '#database/testing/database.ts'
import { readConfig } from '../settings/config.ts'
import { pharmacyFindings, rendererFindings } from './clinic-services.ts'
import { videoFindings } from './video.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

test('doctor: a TURN server responds over UDP or TCP, and a missing one is a fault', async () => {
  const udp = createSocket('udp4')
  udp.on('message', (request, from) => {
    const answer = Buffer.from(request)
    answer.writeUInt16BE(0x0101, 0)
    udp.send(answer, from.port, from.address)
  })
  await new Promise<void>(resolve => udp.bind(0, '127.0.0.1', resolve))
  const tcp = createServer(socket => socket.on('error', () => undefined))
  await new Promise<void>(resolve => tcp.listen(0, '127.0.0.1', resolve))
  const { port } = tcp.address() as { port: number }
  const closed = createServer()
  await new Promise<void>(resolve => closed.listen(0, '127.0.0.1', resolve))
  const { port: free } = closed.address() as { port: number }
  await new Promise(resolve => closed.close(resolve))
  const urls = [
    `turn:127.0.0.1:${udp.address().port}`,
    `turn:127.0.0.1:${port}?transport=tcp`,
    `turn:127.0.0.1:${free}?transport=tcp`,
  ]
  const findings = await videoFindings({ turn: { urls, secret: 'the secret' } })
  udp.close()
  tcp.close()
  expect(findings.map(({ name, status }) => [name, status])).toEqual([
    ['TURN server 1', 'ok'],
    ['TURN server 2', 'ok'],
    ['TURN server 3', 'fault'],
  ])
  expect(JSON.stringify(findings)).not.toContain('the secret')
})

test('doctor: reports whether Daily accepts the key; without a service, the finding names both', async () => {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ headers }) =>
      new Response('{}', { status: headers.get('authorization') === 'Bearer right' ? 200 : 401 }),
  })
  const origin = `http://127.0.0.1:${server.port}`
  const ask = async (key: string) => (await videoFindings({ daily: { origin, key } }))[0]
  expect(await ask('right')).toMatchObject({ name: 'Daily', status: 'ok' })
  expect(await ask('wrong')).toMatchObject({
    status: 'fault',
    text: expect.not.stringMatching(/wrong/),
  })
  await server.stop(true)
  expect(await videoFindings({})).toMatchObject([
    { status: 'ok', text: expect.stringMatching(/TURN_URLS or DAILY_API_KEY/) },
  ])
})

test('doctor: a broken document renderer is a fault', async () => {
  expect(await rendererFindings()).toMatchObject([{ status: 'ok' }])
  const broken = openViewer({ script: '/none.ts' })
  expect(await rendererFindings(broken)).toMatchObject([
    { name: 'document renderer', status: 'fault' },
  ])
})

test('doctor: pharmacies need a key for their secrets, and stopped prescriptions need a person', async () => {
  const [older, newer] = ['a key of some length', 'another key of some length']
  const ask = (...encryptionKeys: string[]) =>
    pharmacyFindings({ url: database.url, config: readConfig({}), encryptionKeys })
  expect(await ask(older)).toEqual([])
  const pool = openPool({ url: database.url, size: 1, name: 'test' })
  const secret = createEncryption([older]).encrypt('a secret', 'whsec_x')
  await pool.use(async connection => {
    await connection.run(sql`
      insert into auth.organizations (id, name, slug) values ('org_doctor', 'Doctor', 'doctor')`)
    await connection.run(sql`
      insert into pharmacy.connections (id, organization, name, url, secret)
      values ('phm_doctor', 'org_doctor', 'Example Pharmacy', 'https://example.com', ${secret})`)
  })
  const of = async (...keys: string[]) => (await ask(...keys)).map(({ status }) => status)
  expect(await of(newer, older)).toEqual(['ok'])
  expect(await of(newer)).toEqual(['fault'])
  expect(await of()).toEqual(['fault'])
  await pool.use(async connection => {
    await connection.run(sql`
      alter table pharmacy.transmissions drop constraint transmissions_tenant_order_fkey,
        drop constraint transmissions_tenant_prescription_fkey`)
    await connection.run(sql`
      insert into pharmacy.transmissions (tenant, prescription, "order", organization, connection,
                                          status)
      values (1, 'rx_1', 'ord_1', 'org_doctor', 'phm_doctor', 'stopped')`)
  })
  await pool.close()
  expect(await of(older)).toEqual(['warning'])
})
