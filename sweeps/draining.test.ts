// A stopping gateway process first leaves rotation, then finishes running requests and exits.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { SQL } from 'bun'
import { rivera } from '#clinical/testing/call.ts'
import { limits } from '#contract/limits.ts'
import { realtimePath, realtimeProtocol } from '#contract/realtime.ts'
import { admissionLock } from '#database/processes.ts'
import { until } from '#http/testing/until.ts'
import {
  type GatewayProcess,
  type Installation,
  openInstallation,
} from './testing/gateway-process.ts'

let installation: Installation
/** The first tests share this gateway, and the second of them stops it. */
let gateway: GatewayProcess
beforeAll(async () => {
  installation = await openInstallation()
  gateway = await installation.start({ DRAIN_DELAY_SECONDS: '3' })
}, 120_000)
afterAll(() => installation.close())

/** A request with a body that arrives in two halves. */
async function halfSent(port: number, head: string, body: Buffer) {
  const socket: Socket = connect(port, '127.0.0.1')
  const received = Promise.withResolvers<string>()
  let text = ''
  socket.on('data', data => (text += data)).on('close', () => received.resolve(text))
  socket.on('error', () => received.resolve(text))
  const half = Math.floor(body.length / 2)
  const lines = `${head}\r\nHost: localhost:${port}\r\nContent-Length: ${body.length}\r\n`
  socket.write(`${lines}Connection: close\r\n\r\n`)
  await new Promise(sent => socket.write(body.subarray(0, half), sent))
  return {
    finish: () => void socket.write(body.subarray(half)),
    answer: received.promise,
  }
}

async function uploadOf({ port, call }: GatewayProcess) {
  const patient = (await call('/v1/patients', rivera)).body.id
  const { body } = await call('/v1/files', { patient, mime: 'application/pdf' })
  const head = [`PUT ${new URL(body.upload_url).pathname} HTTP/1.1`]
  for (const [name, value] of Object.entries(body.upload_headers)) head.push(`${name}: ${value}`)
  return halfSent(port, head.join('\r\n'), Buffer.alloc(limits.fileBytesMax, '%PDF-1.7\n'))
}

async function subscriberOf({ port, call }: GatewayProcess) {
  const { token } = (await call('/v1/realtime/tokens', {})).body
  const url = `ws://localhost:${port}${realtimePath}`
  const socket = new WebSocket(url, [realtimeProtocol, `bearer.${token}`])
  const greeted = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<number>()
  socket.addEventListener('message', () => greeted.resolve())
  socket.addEventListener('close', ({ code }) => closed.resolve(code))
  await greeted.promise
  return { closed: closed.promise }
}

test('gateway: probes need no host name, and accept no other method', async () => {
  const { port } = gateway
  const at = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers: { host: '10.0.0.7' } })
  for (const path of ['/api/ready', '/api/live']) {
    const answer = await at(path)
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'pass' }])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect((await at(path, { method: 'HEAD' })).status).toBe(200)
    expect((await at(path, { method: 'POST' })).status).toBe(421)
  }
})

test('gateway: first reports not ready, then finishes an upload, a write and its sockets, and exits', async () => {
  const { port, child, statusOf, call } = gateway
  const upload = await uploadOf(gateway)
  const subscriber = await subscriberOf(gateway)
  const written = Buffer.from(JSON.stringify(rivera))
  const head = `POST /v1/patients HTTP/1.1\r\nAuthorization: Bearer ${installation.key}\r\nContent-Type: application/json\r\nIdempotency-Key: half-sent`
  const write = await halfSent(port, head, written)

  child.kill('SIGTERM')
  await until(async () => (await statusOf('/api/ready')) === 503)
  // Until load balancers react, the gateway keeps serving and tells clients to close their
  // connections.
  expect(await statusOf('/api/live')).toBe(200)
  const { answer } = await call('/v1/organization')
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])

  await until(async () => (await statusOf('/api/live')) === null)
  expect(await subscriber.closed).toBe(1012)
  expect(child.exitCode).toBeNull()
  upload.finish()
  write.finish()
  expect(await upload.answer).toStartWith('HTTP/1.1 200')
  expect(await write.answer).toStartWith('HTTP/1.1 201')
  expect(await child.exited).toBe(0)
}, 120_000)

test('gateway: exits within DRAIN_SECONDS even if a request doesn’t finish', async () => {
  const gateway = await installation.start({ DRAIN_DELAY_SECONDS: '0', DRAIN_SECONDS: '1' })
  const upload = await uploadOf(gateway)
  gateway.child.kill('SIGTERM')
  expect(await upload.answer).not.toStartWith('HTTP/1.1 200')
  expect(await gateway.child.exited).toBe(0)
}, 120_000)

test('gateway: exits as usual if stopped before the database admits it', async () => {
  await using other = new SQL({ url: installation.database.url, max: 1 })
  await other`select pg_advisory_lock(${admissionLock}, 0)`
  const { child, statusOf } = await installation.start({ DRAIN_DELAY_SECONDS: '0' }, '/api/live')
  expect(await statusOf('/api/ready')).toBe(503)
  child.kill('SIGTERM')
  expect([await child.exited, child.signalCode]).toEqual([0, null])
}, 120_000)
