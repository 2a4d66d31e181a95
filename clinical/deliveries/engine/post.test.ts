// Tests a single POST, and the ways in which networks and receivers fail.

import { getEventListeners } from 'node:events'
import { createServer } from 'node:https'
import net from 'node:net'
import tls from 'node:tls'
import ipaddr from 'ipaddr.js'
import { afterEach, describe, expect, test } from 'bun:test'
import type { AddressRule } from '#http/outgoing/addresses.ts'
import { openAuthority } from '#http/testing/certificates.ts'
import { now } from '#database/clock.ts'
import type { Mode } from '#contract/operation.ts'
import { post, type Receivers } from './post.ts'
import { authority, openReceiver, type Receiver } from '#http/testing/receiver.ts'

const localAddresses: AddressRule = {
  resolve: async () => ['127.0.0.1'],
  allowed: [[ipaddr.parse('127.0.0.1'), 32]],
}
let receiver: Receiver | undefined
afterEach(async () => {
  await receiver?.stop()
  receiver = undefined
})

const headers = { 'content-type': 'application/json' }
const send = (
  url: string,
  settings: Partial<Receivers> & { mode?: Mode } = {},
  cut = new AbortController().signal,
) => {
  const { mode = 'test', ...receivers } = settings
  const whole = { addresses: localAddresses, ca: authority.cert, seconds: 15, ...receivers }
  return post({ url, mode, headers, body: '{"id":"evt_1"}' }, whole, cut)
}

describe('address', () => {
  test('post: resolves a name once, and connects to that address with the name in Host', async () => {
    receiver = openReceiver(() => new Response('ok'))
    let asked = 0
    const resolve = async () => {
      asked++
      return asked === 1 ? ['127.0.0.1'] : ['10.0.0.1']
    }
    const outcome = await send(receiver.url('/a?b=c'), {
      addresses: { ...localAddresses, resolve },
    })
    expect(outcome).toMatchObject({ status: 200, answer: 'ok', error: null })
    expect(asked).toBe(1)
    expect(receiver.received).toMatchObject([
      { path: '/a?b=c', headers: { host: `a.receiver.example:${receiver.port}` } },
    ])
  })

  test('post: sends nothing to a name that resolves to a private address', async () => {
    receiver = openReceiver(() => new Response('ok'))
    for (const found of [['127.0.0.2'], ['127.0.0.1', '10.0.0.1'], ['8.8.8.8', '192.168.0.1']]) {
      const addresses = { ...localAddresses, resolve: async () => found }
      expect(await send(receiver.url(), { addresses })).toMatchObject({ error: 'blocked_address' })
    }
    expect(await send(receiver.url(), { mode: 'live' })).toMatchObject({ error: 'blocked_address' })
    expect(receiver.received).toEqual([])
  })

  test('post: reports a name that does not resolve, or not in time', async () => {
    const failing = { ...localAddresses, resolve: () => Promise.reject(new Error('NXDOMAIN')) }
    expect(await send('https://a.receiver.example/', { addresses: failing })).toMatchObject({
      status: null,
      answer: null,
      error: 'dns_failure',
    })
    const silent = { ...localAddresses, resolve: () => new Promise<string[]>(() => undefined) }
    const late = await send('https://a.receiver.example/', { addresses: silent, seconds: 0.05 })
    expect(late.error).toBe('timeout')
  })

  test('post: accepts a URL with an IP address', async () => {
    receiver = openReceiver(() => new Response('ok'), authority.sign('127.0.0.1'))
    const outcome = await send(`https://127.0.0.1:${receiver.port}/`)
    expect(outcome).toMatchObject({ status: 200, error: null })
  })
})

describe('certificate', () => {
  test.each([
    ['is for another name', () => authority.sign('b.receiver.example')],
    ['has expired', () => authority.sign('a.receiver.example', -9, -1)],
    ['is not valid yet', () => authority.sign('a.receiver.example', 1, 9)],
    ['has an unknown issuer', () => openAuthority(now()).sign('a.receiver.example')],
  ])('post: sends nothing when the certificate %s', async (_fault, leaf) => {
    receiver = openReceiver(() => new Response('ok'), leaf())
    const outcome = await send(receiver.url())
    expect(outcome).toMatchObject({ status: null, error: 'tls_failure' })
    expect(receiver.received).toEqual([])
  })

  test('post: verifies the certificate for each name, even for two names at one address', async () => {
    receiver = openReceiver(() => new Response('ok'))
    expect((await send(receiver.url())).status).toBe(200)
    const other = await send(receiver.url('/', 'b.receiver.example'))
    expect(other.error).toBe('tls_failure')
    expect((await send(receiver.url())).status).toBe(200)
  })
})

describe('receiver', () => {
  test('post: does not follow redirects', async () => {
    for (const status of [301, 302, 307, 308]) {
      const opened = openReceiver(
        () => new Response('moved', { status, headers: { location: 'https://127.0.0.1/' } }),
      )
      expect(await send(opened.url())).toMatchObject({ status, answer: 'moved', error: null })
      expect(opened.received).toHaveLength(1)
      await opened.stop()
    }
  })

  test('post: times out without a response, and closes the connection', async () => {
    const closed = Promise.withResolvers<void>()
    receiver = openReceiver(() => new Promise<Response>(() => undefined))
    const sockets: net.Socket[] = []
    const server = net.createServer(socket => {
      sockets.push(socket)
      socket.resume().on('close', () => closed.resolve())
    })
    await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const silent = send(`https://a.receiver.example:${port}/`, { seconds: 0.1 })
    const hanging = send(receiver.url(), { seconds: 0.1 })
    for (const outcome of await Promise.all([silent, hanging])) {
      expect(outcome).toMatchObject({ status: null, answer: null, error: 'timeout' })
      expect(outcome.milliseconds).toBeGreaterThanOrEqual(99)
    }
    // The short timeout may have passed before a connection opened, so this tries again.
    const again = () => send(`https://a.receiver.example:${port}/`, { seconds: 1 })
    while (sockets.length === 0) expect((await again()).error).toBe('timeout')
    await closed.promise
    server.close()
  })

  test('post: reports a refused or closed connection', async () => {
    const server = net.createServer(socket => socket.destroy())
    await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const url = `https://a.receiver.example:${port}/`
    expect((await send(url)).status).toBeNull()
    await new Promise(resolve => server.close(resolve))
    expect(await send(url)).toMatchObject({ status: null, error: 'connection_failed' })
  })

  test('post: an aborted attempt has no status', async () => {
    const cut = new AbortController()
    receiver = openReceiver(() => {
      cut.abort()
      return new Promise<Response>(() => undefined)
    })
    expect((await send(receiver.url(), {}, cut.signal)).status).toBeNull()
  })
})

test('post: a declared body that doesn’t arrive costs a second, and isn’t a failure', async () => {
  const { cert, key } = authority.sign('a.receiver.example')
  const server = createServer({ cert, key }, (_request, response) => {
    response.writeHead(200, { 'content-length': '10' })
    response.write('hello')
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const began = performance.now()
  const outcome = await send(`https://a.receiver.example:${port}/`)
  expect(outcome).toMatchObject({ status: 200, answer: '', error: null })
  expect(performance.now() - began).toBeGreaterThanOrEqual(990)
  // The connection ended with the attempt, so nothing keeps the server open.
  await new Promise(resolve => server.close(resolve))
})

test('post: reads exactly a kilobyte of a longer body, and closes the connection', async () => {
  const { cert, key } = authority.sign('a.receiver.example')
  const closed = Promise.withResolvers<void>()
  const server = createServer({ cert, key }, (_request, response) => {
    response.on('close', () => closed.resolve())
    response.writeHead(200)
    response.write('a'.repeat(1023), () => response.write('b'))
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const outcome = await send(`https://a.receiver.example:${port}/`)
  expect(outcome).toMatchObject({ status: 200, answer: `${'a'.repeat(1023)}b`, error: null })
  await closed.promise
  server.close()
})

test('post: a response that isn’t HTTP is a protocol failure without a status', async () => {
  const { cert, key } = authority.sign('a.receiver.example')
  const no = 'Content-Length: 0'
  for (const [answer, status, error] of [
    [`HTTP/1.1 99 OK\r\n${no}`, null, 'protocol_failure'],
    [`HTTP/1.1 000 OK\r\n${no}`, null, 'protocol_failure'],
    [`HTTP/1.1 600 OK\r\n${no}`, null, 'protocol_failure'],
    [`HTTP/1.1 999 OK\r\n${no}`, null, 'protocol_failure'],
    ['HTTP/1.1 200 OK\r\nContent-Length: x', null, 'protocol_failure'],
    ['SSH-2.0-server', null, 'protocol_failure'],
    [`HTTP/1.1 599 OK\r\n${no}`, 599, null],
  ] as const) {
    const server = tls.createServer({ cert, key }, socket => {
      socket.on('error', () => {}).once('data', () => socket.end(`${answer}\r\n\r\n`))
    })
    await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as net.AddressInfo
    const outcome = await send(`https://a.receiver.example:${port}/`)
    expect([answer, outcome.status, outcome.error]).toEqual([answer, status, error])
    server.close()
  }
})

test('post: an attempt ends when its time is up, not later', async () => {
  receiver = openReceiver(() => new Promise<Response>(() => undefined))
  const { error, milliseconds } = await send(receiver.url(), { seconds: 1 })
  expect(error).toBe('timeout')
  expect(milliseconds).toBeGreaterThanOrEqual(990)
})

test('post: leaves only one listener on the worker’s signal, after any number of attempts', async () => {
  receiver = openReceiver(() => new Response('ok'))
  const { signal } = new AbortController()
  const blocked = { ...localAddresses, resolve: async () => ['10.0.0.1'] }
  expect(await send(receiver.url(), {}, signal)).toMatchObject({ status: 200 })
  expect(await send(receiver.url(), { addresses: blocked }, signal)).toMatchObject({
    error: 'blocked_address',
  })
  const url = receiver.url()
  await Promise.all(Array.from({ length: 20 }, () => send(url, {}, signal)))
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
})
