// A server that is stopped or replaced behind a proxy may send messages that the driver doesn't
// expect.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import net from 'node:net'
import { isConnectionLost, isTransient } from './failures.ts'
import { openPool } from './pool.ts'
import { sql } from './sql.ts'
import { testDatabase, type TestDatabase } from './testing/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

/** An authentication request, which a server sends only at the start of a session. */
const unexpected = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3])

/** A proxy that forwards everything, and can send extra bytes to the client. */
async function openProxy(port: number) {
  const clients: net.Socket[] = []
  const server = net.createServer(client => {
    clients.push(client)
    const inner = net.connect(port, '127.0.0.1')
    for (const socket of [client, inner]) socket.on('error', () => {})
    client.on('data', data => inner.write(data)).on('close', () => inner.destroy())
    inner.on('data', data => client.write(data)).on('close', () => client.destroy())
  })
  await new Promise<void>(go => server.listen(0, go))
  return {
    port: (server.address() as net.AddressInfo).port,
    send: (bytes: Buffer) => clients.at(-1)?.write(bytes),
    sessions: () => clients.length,
    close: () => server.close(),
  }
}

test('pool: a session with an unexpected message counts as lost and is replaced', async () => {
  const url = new URL(database.url)
  const proxy = await openProxy(Number(url.port))
  url.port = String(proxy.port)
  const pool = openPool({ url: url.href, size: 1, name: 'unexpected' })
  await pool.use(connection => connection.run(sql`select 1`))
  const failure = await pool
    .use(async connection => {
      const asked = connection.run(sql`select pg_sleep(5)`)
      proxy.send(unexpected)
      return asked
    })
    .catch((why: unknown) => why)
  expect([isConnectionLost(failure), isTransient(failure)]).toEqual([true, true])
  const rows = await pool.use(connection => connection.run<{ n: number }>(sql`select 1 as n`))
  expect([rows[0]?.n, proxy.sessions()]).toEqual([1, 2])
  await pool.close()
  proxy.close()
})
