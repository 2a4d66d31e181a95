// One POST, and everything that a network and a receiver may do to it.

import net from 'node:net'
import ipaddr from 'ipaddr.js'
import { afterEach, describe, expect, test } from 'bun:test'
import type { AddressRule } from './addresses.ts'
import { openAuthority } from './testing/certificates.ts'
import { now } from '#database/clock.ts'
import type { Mode } from '#contract/operation.ts'
import { post, type Receivers } from './post.ts'
import { authority, openReceiver, type Receiver } from './testing/receiver.ts'

const here: AddressRule = {
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
  const whole = { addresses: here, ca: authority.cert, seconds: 15, ...receivers }
  return post({ url, mode, headers, body: '{"id":"evt_1"}' }, whole, cut)
}

describe('the address', () => {
  test('is asked for once, and called by its number under its name', async () => {
    receiver = openReceiver(() => new Response('ok'))
    let asked = 0
    const resolve = async () => {
      asked++
      return asked === 1 ? ['127.0.0.1'] : ['10.0.0.1']
    }
    const outcome = await send(receiver.url('/a?b=c'), { addresses: { ...here, resolve } })
    expect(outcome).toMatchObject({ status: 200, answer: 'ok', error: null })
    expect(asked).toBe(1)
    expect(receiver.received).toMatchObject([
      { path: '/a?b=c', headers: { host: `a.receiver.example:${receiver.port}` } },
    ])
  })

  test('that became private since is blocked, and nothing is sent there', async () => {
    receiver = openReceiver(() => new Response('ok'))
    for (const found of [['127.0.0.2'], ['127.0.0.1', '10.0.0.1'], ['8.8.8.8', '192.168.0.1']]) {
      const addresses = { ...here, resolve: async () => found }
      expect(await send(receiver.url(), { addresses })).toMatchObject({ error: 'blocked_address' })
    }
    expect(await send(receiver.url(), { mode: 'live' })).toMatchObject({ error: 'blocked_address' })
    expect(receiver.received).toEqual([])
  })

  test('that nobody knows, or that nobody tells in time', async () => {
    const failing = { ...here, resolve: () => Promise.reject(new Error('NXDOMAIN')) }
    expect(await send('https://a.receiver.example/', { addresses: failing })).toMatchObject({
      status: null,
      answer: null,
      error: 'dns_failure',
    })
    const silent = { ...here, resolve: () => new Promise<string[]>(() => undefined) }
    const late = await send('https://a.receiver.example/', { addresses: silent, seconds: 0.05 })
    expect(late.error).toBe('timeout')
  })

  test('may be a number itself', async () => {
    receiver = openReceiver(() => new Response('ok'), authority.sign('127.0.0.1'))
    const outcome = await send(`https://127.0.0.1:${receiver.port}/`)
    expect(outcome).toMatchObject({ status: 200, error: null })
  })
})

describe('the certificate', () => {
  test.each([
    ['is for another name', () => authority.sign('b.receiver.example')],
    ['has expired', () => authority.sign('a.receiver.example', -9, -1)],
    ['is not valid yet', () => authority.sign('a.receiver.example', 1, 9)],
    ['is signed by somebody', () => openAuthority(now()).sign('a.receiver.example')],
  ])('%s: nothing is sent', async (_said, leaf) => {
    receiver = openReceiver(() => new Response('ok'), leaf())
    const outcome = await send(receiver.url())
    expect(outcome).toMatchObject({ status: null, error: 'tls_failure' })
    expect(receiver.received).toEqual([])
  })

  test('is asked for each name, though two live at one address', async () => {
    receiver = openReceiver(() => new Response('ok'))
    expect((await send(receiver.url())).status).toBe(200)
    const other = await send(receiver.url('/', 'b.receiver.example'))
    expect(other.error).toBe('tls_failure')
    expect((await send(receiver.url())).status).toBe(200)
  })
})

describe('a receiver', () => {
  test('that redirects is not followed', async () => {
    for (const status of [301, 302, 307, 308]) {
      const opened = openReceiver(
        () => new Response('moved', { status, headers: { location: 'https://127.0.0.1/' } }),
      )
      expect(await send(opened.url())).toMatchObject({ status, answer: 'moved', error: null })
      expect(opened.received).toHaveLength(1)
      await opened.stop()
    }
  })

  test('that never answers is given up, and the connection closed', async () => {
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
    // Where so little time is over before anybody has connected, it is tried again.
    const again = () => send(`https://a.receiver.example:${port}/`, { seconds: 1 })
    while (sockets.length === 0) expect((await again()).error).toBe('timeout')
    await closed.promise
    server.close()
  })

  // Where the machine does nothing else: it is about tenths of a second.
  test.if(Number(process.env['FAULT_ROUNDS'] ?? 1) >= 50)(
    'that answers after 14.9 seconds was in time, after 15.1 it was not',
    async () => {
      receiver = openReceiver(async ({ path }) => {
        await Bun.sleep(Number(path.slice(1)))
        return new Response('at last')
      })
      const [early, late] = await Promise.all([
        send(receiver.url('/14900')),
        send(receiver.url('/15100')),
      ])
      expect(early).toMatchObject({ status: 200, answer: 'at last', error: null })
      expect(late).toMatchObject({ status: null, answer: null, error: 'timeout' })
    },
    30_000,
  )

  test('that is not there, or hangs up', async () => {
    const server = net.createServer(socket => socket.destroy())
    await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const url = `https://a.receiver.example:${port}/`
    expect((await send(url)).status).toBeNull()
    await new Promise(resolve => server.close(resolve))
    expect(await send(url)).toMatchObject({ status: null, error: 'connection_failed' })
  })

  test('an attempt that we cut short ourselves comes to nothing', async () => {
    const cut = new AbortController()
    receiver = openReceiver(() => {
      cut.abort()
      return new Promise<Response>(() => undefined)
    })
    expect((await send(receiver.url(), {}, cut.signal)).status).toBeNull()
  })
})
