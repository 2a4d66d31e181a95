// The two video providers: Daily, against a server that speaks its REST interface and a server that
// misbehaves, and browser-to-browser video with a TURN server's credentials.

import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { dailyVideo } from './daily.ts'
import { embeddedVideo } from './provider.ts'

const room = {
  visit: 'vis_01m837h1htk4xdfh3nz5yg8pgp',
  opensAt: Date.parse('2026-11-23T10:00:00Z'),
  closesAt: Date.parse('2026-11-23T11:30:00Z'),
}
const name = 'vis-01m837h1htk4xdfh3nz5yg8pgp'

type ProviderRequest = {
  method: string
  path: string
  key: string | null
  body: Record<string, unknown>
}
let asked: ProviderRequest[] = []
let rooms = new Set<string>()
/** Replaces the service's own response. */
let hostile: (() => Response) | null = null

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { pathname: path } = new URL(request.url)
    const text = await request.text()
    const body = text === '' ? {} : JSON.parse(text)
    asked.push({ method: request.method, path, key: request.headers.get('authorization'), body })
    if (hostile !== null) return hostile()
    const url = `https://clinic.daily.example/${name}`
    if (path === '/v1/meeting-tokens')
      return Response.json({ token: `token ${body.properties.is_owner}` })
    if (request.method === 'POST') {
      if (rooms.has(body.name)) {
        return Response.json({ error: 'invalid-request-error', info: 'exists' }, { status: 400 })
      }
      rooms.add(body.name)
      return Response.json({ id: 'x', name: body.name, url, config: body.properties })
    }
    const named = path.split('/').at(-1) ?? ''
    if (!rooms.has(named)) return Response.json({ error: 'not-found' }, { status: 404 })
    if (request.method === 'DELETE') rooms.delete(named)
    return Response.json({ name: named, url })
  },
})
afterAll(() => server.stop(true))
beforeEach(() => {
  asked = []
  rooms = new Set()
  hostile = null
})

const daily = dailyVideo({ origin: `http://127.0.0.1:${server.port}/v1`, key: 'a key' })

describe('Daily', () => {
  test('creates a private room for two, once for both seats, with a token for each', async () => {
    const patient = await daily.entryFor(room, 'patient')
    const clinician = await daily.entryFor(room, 'clinician')
    const page = `https://clinic.daily.example/${name}?t=token`
    expect(patient).toEqual({ kind: 'page', url: `${page}+false` })
    expect(clinician).toEqual({ kind: 'page', url: `${page}+true` })
    expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/rooms',
      'POST /v1/meeting-tokens',
      'POST /v1/rooms',
      `GET /v1/rooms/${name}`,
      'POST /v1/meeting-tokens',
    ])
    expect(asked[0]?.body).toMatchObject({
      name,
      privacy: 'private',
      properties: {
        max_participants: 2,
        nbf: room.opensAt / 1000,
        exp: room.closesAt / 1000,
        eject_at_room_exp: true,
      },
    })
    expect(asked[1]?.body).toEqual({
      properties: {
        room_name: name,
        user_name: 'Patient',
        is_owner: false,
        exp: room.closesAt / 1000,
        eject_at_token_exp: true,
      },
    })
    expect(new Set(asked.map(({ key }) => key))).toEqual(new Set(['Bearer a key']))
  })

  test('ends a room, even one that has already ended', async () => {
    await daily.entryFor(room, 'patient')
    await daily.end(room)
    expect(rooms.size).toBe(0)
    await daily.end(room)
  })

  test.each([
    ['an error', () => new Response('{"info":"secret"}', { status: 500 })],
    ['no JSON', () => new Response('secret')],
    ['another shape', () => Response.json([1])],
    ['a page without TLS', () => Response.json({ url: 'http://elsewhere.example/secret' })],
    [
      'too much',
      () => Response.json({ url: 'https://elsewhere.example/', more: 'x'.repeat(70_000) }),
    ],
    ['a redirect', () => Response.redirect('https://elsewhere.example/secret', 307)],
  ])('%s fails without repeating any of the response', async (_, answer) => {
    hostile = answer
    const failure = await daily.entryFor(room, 'patient').catch((found: Error) => found)
    expect(failure).toBeInstanceOf(Error)
    expect(String(failure)).not.toContain('secret')
  })
})

test('TURN: a user name with its expiration, the visit and the seat, and an HMAC password', async () => {
  const turn = { urls: ['turn:turn.example.com:3478'], secret: 'a secret' }
  const username = `${room.closesAt / 1000}:${room.visit}.patient`
  const credential = createHmac('sha1', turn.secret).update(username).digest('base64')
  expect(await embeddedVideo(turn).entryFor(room, 'patient')).toEqual({
    kind: 'peer',
    iceServers: [{ urls: turn.urls, username, credential }],
  })
  expect(await embeddedVideo().entryFor(room, 'patient')).toEqual({ kind: 'peer', iceServers: [] })
})
