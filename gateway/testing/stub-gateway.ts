// A stub gateway behind another web server. The stub is unavailable except during
// `isReachedThrough`.
import { expect } from 'bun:test'
import { waitingRoomPath } from '#clinical/visits/ticket.ts'
import { limits } from '#contract/limits.ts'
import { completedPaths } from '../static/dynamic.ts'
import { signaturePaths } from '../static/signed-paths.ts'
import { realtimePath } from '#contract/realtime.ts'
import { exchange } from './gateway.ts'

/** Paths that only a gateway serves, including some from clinical API responses. */
const paths = [
  '/documents/x',
  `${waitingRoomPath}/x`,
  '/postman/collection.json',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/',
  '/ask/',
  '/v1/organization/',
  '/v1/organization',
  '/booking/times',
  ...completedPaths,
  ...signaturePaths,
]

export function openStubGateway() {
  let isOpen = false
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request, own) {
      if (!isOpen) return new Response('the gateway is unavailable', { status: 502 })
      if (own.upgrade(request)) return undefined
      return new Response(`${new URL(request.url).pathname} ${(await request.bytes()).length}`)
    },
    websocket: { open: socket => void socket.send('in'), message() {} },
  })
  return {
    host: server.url.host,
    stop: () => server.stop(true),
    /** Checks GET requests, an upload of the maximum size, and a WebSocket. */
    async isReachedThrough(edge: string): Promise<void> {
      isOpen = true
      try {
        for (const path of paths) expect(await (await fetch(edge + path)).text()).toBe(`${path} 0`)
        const body = new Uint8Array(limits.fileBytesMax)
        const sent = await fetch(`${edge}/uploads/x`, { method: 'PUT', body })
        expect([sent.status, await sent.text()]).toEqual([200, `/uploads/x ${body.length}`])
        expect(await firstMessage(edge.replace('http', 'ws') + realtimePath)).toBe('in')
      } finally {
        isOpen = false
      }
    },
  }
}

/** Another module at auth.example.com, where no site page may be served. */
export function openOtherModule() {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ headers, url }) => new Response(`${headers.get('host')} ${new URL(url).pathname}`),
  })
  return {
    host: server.url.host,
    stop: () => server.stop(true),
    async isReachedThrough(edge: string): Promise<void> {
      for (const path of ['/', '/pricing', '/v1/organization']) {
        const head = `GET ${path} HTTP/1.1\r\nHost: auth.example.com\r\nConnection: close\r\n\r\n`
        const text = await exchange(Number(new URL(edge).port), head)
        expect(text).toContain(`\r\nauth.example.com ${path}`)
      }
    },
  }
}

async function firstMessage(url: string): Promise<unknown> {
  const socket = new WebSocket(url)
  const { promise, resolve } = Promise.withResolvers<unknown>()
  socket.addEventListener('message', ({ data }) => resolve(data))
  socket.addEventListener('close', ({ code }) => resolve(`closed ${code}`))
  const message = await promise
  socket.close()
  return message
}
