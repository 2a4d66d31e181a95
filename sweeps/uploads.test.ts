// Uploads over real HTTP: a file's complete flow, and an aborted upload.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { rivera } from '#contract/examples.ts'
import { until } from '#http/testing/until.ts'
import { exchange, openTestGateway } from '#gateway/testing/gateway.ts'

let gateway: Awaited<ReturnType<typeof openTestGateway>>
beforeAll(async () => {
  gateway = await openTestGateway()
})
afterAll(() => gateway.close())

let keys = 0
async function post(place: string, body: object) {
  const headers = { 'content-type': 'application/json', 'idempotency-key': `key-${++keys}` }
  const init = {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    as: gateway.fixtures.ada.live,
  }
  const answer = await gateway.call(place, init)
  expect(answer.ok).toBe(true)
  return answer.json()
}

const pdf = Buffer.from(`%PDF-1.7\n${'x'.repeat(200_000)}\n%%EOF\n`)

async function reserve(more: object = {}) {
  const { id: patient } = await post('/v1/patients', rivera)
  return post('/v1/files', { patient, mime: 'application/pdf', ...more })
}
const placeOf = (url: string) => new URL(url).pathname

test('upload: reserve, send, confirm and read a file; the log has no usable upload URL', async () => {
  const { id, patient, upload_url, upload_headers } = await reserve({ size_bytes: pdf.length })
  const place = placeOf(upload_url)
  const put = { method: 'PUT', headers: upload_headers, body: pdf, as: null }
  expect((await gateway.call(place, put)).status).toBe(200)
  const body = { patient, kind: 'lab_result', filename: 'panel.pdf' }
  const file = await post(`/v1/files/${id}/confirm`, body)
  expect(file).toMatchObject({ patient, size_bytes: pdf.length, status: 'attached' })
  const read = await gateway.call(`/v1/files/${file.id}`, {
    as: gateway.fixtures.ada.live,
  })
  expect(await read.json()).toEqual(file)
  const logged = gateway.lines.map(({ route }) => route)
  expect(logged).toContain('/uploads/{token}')
  expect(logged.join()).not.toContain(path.basename(place))
  expect((await gateway.call(place, put)).status).toBe(403)
  expect((await gateway.call('/uploads', { as: null })).status).toBe(200) // the site's
})

test('upload: an aborted upload stores nothing and can be repeated', async () => {
  const { id, upload_url, upload_headers } = await reserve({ size_bytes: pdf.length })
  const aside = path.join(gateway.fixtures.folder, 'aside')
  const head = Object.entries(upload_headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const request = `PUT ${placeOf(upload_url)} HTTP/1.1\r\nHost: localhost\r\n${head.join('')}\r\n`
  const { promise: gone, resolve: leave } = Promise.withResolvers<void>()
  const socket = (await import('node:net')).connect(gateway.port, '127.0.0.1', () => {
    socket.write(request)
    socket.write(pdf.subarray(0, 100_000), () => {
      socket.destroy()
      leave()
    })
  })
  await gone
  const read = async () =>
    (await gateway.call(`/v1/files/${id}`, { as: gateway.fixtures.ada.live })).json()
  const left = () => (existsSync(aside) ? readdirSync(aside) : [])
  await until(() => left().length === 0)
  expect([left(), (await read()).size_bytes]).toEqual([[], null])
  const put = { method: 'PUT', headers: upload_headers, body: pdf, as: null }
  expect((await gateway.call(placeOf(upload_url), put)).status).toBe(200)
  expect((await read()).size_bytes).toBe(pdf.length)
})

test('upload: a chunked body over the limit gets 413', async () => {
  const { upload_url, upload_headers } = await reserve()
  const head = Object.entries(upload_headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const request = `PUT ${placeOf(upload_url)} HTTP/1.1\r\nHost: localhost\r\n${head.join('')}`
  const chunk = new Uint8Array(1 << 20)
  const framed = [Buffer.from('100000\r\n'), chunk, Buffer.from('\r\n')]
  const all = Array.from({ length: 26 }, () => framed).flat()
  const text = await exchange(
    gateway.port,
    `${request}Transfer-Encoding: chunked\r\n\r\n`,
    ...all,
    '0\r\n\r\n',
  )
  expect(text).toStartWith('HTTP/1.1 413')
})
