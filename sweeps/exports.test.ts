// Downloads of an export over real HTTP: stable bytes, a known length, and working links.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { invokeOk, rivera } from '#clinical/testing/call.ts'
import { completePending, requestExport } from '#clinical/testing/exports.ts'
import { photo, scanAll } from '#clinical/testing/files.ts'
import { openTestGateway } from '#gateway/testing/gateway.ts'

let gateway: Awaited<ReturnType<typeof openTestGateway>>
beforeAll(async () => {
  gateway = await openTestGateway()
})
afterAll(() => gateway.close())

test('export: a download has stable bytes, a known length and working document links', async () => {
  const as = gateway.fixtures.ada.live
  const { id } = await requestExport(gateway.fixtures, as)
  const place = `/v1/exports/${id}/download`
  const first = await gateway.call(place, { as })
  const text = await first.text()
  expect(first.status).toBe(200)
  expect(first.headers.get('content-type')).toBe('application/json')
  expect(first.headers.get('content-disposition')).toBe(`attachment; filename="export-${id}.json"`)
  expect(first.headers.get('cache-control')).toBe('no-store')
  const again = await gateway.call(place, { as })
  expect(await again.text()).toBe(text)
  expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
  const head = await gateway.call(place, { as, method: 'HEAD' })
  expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
  expect(await head.text()).toBe('')
  const { url } = JSON.parse(text).documents[0]
  await scanAll(gateway.fixtures)
  const document = await gateway.call(new URL(url).pathname, { as: null })
  expect(Buffer.from(await document.arrayBuffer())).toEqual(photo)
  expect((await gateway.call(place, { as: null })).status).toBe(401)
})

test('export: If-None-Match with the download’s ETag gets 304, and discloses nothing to others', async () => {
  const as = gateway.fixtures.ada.live
  const { id } = await requestExport(gateway.fixtures, as)
  const place = `/v1/exports/${id}/download`
  const etag = (await gateway.call(place, { as })).headers.get('etag') ?? ''
  const statusOf = async (method: string, tags: string, key = as) =>
    (await gateway.call(place, { as: key, method, headers: { 'if-none-match': tags } })).status
  for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    expect([await statusOf('GET', tags), await statusOf('HEAD', tags)]).toEqual([304, 304])
  }
  expect(await statusOf('GET', '"other"')).toBe(200)
  expect(await statusOf('GET', etag, gateway.fixtures.ben.live)).toBe(404)
  const unchanged = await gateway.call(place, { as, headers: { 'if-none-match': etag } })
  expect(unchanged.headers.get('etag')).toBe(etag)
  expect(unchanged.headers.get('cache-control')).toBe('no-store')
  expect(unchanged.headers.get('request-id')).toMatch(/^req_/)
  expect(await unchanged.text()).toBe('')
})

test('export: HEAD for a download returns the length without reading the file', async () => {
  const as = gateway.fixtures.ada.live
  const { id } = await requestExport(gateway.fixtures, as)
  const place = `/v1/exports/${id}/download`
  const whole = await (await gateway.call(place, { as })).arrayBuffer()
  const { storage } = gateway.fixtures.context.files
  const { read } = storage
  let opened = 0
  storage.read = async key => {
    const bytes = await read(key)
    const open = () => {
      opened++
      return bytes?.open() ?? Promise.reject(new Error('the file has no bytes'))
    }
    return bytes && { size: bytes.size, open }
  }
  try {
    const head = await gateway.call(place, { as, method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(head.headers.get('content-length')).toBe(String(whole.byteLength))
    expect(head.headers.get('etag')).toMatch(/^"[\w-]{43}"$/)
    expect(opened).toBe(0)
    await (await gateway.call(place, { as })).arrayBuffer()
    expect(opened).toBe(1)
  } finally {
    storage.read = read
  }
})

test('table export: a file has a known length, and resumes from a byte', async () => {
  const { fixtures } = gateway
  await invokeOk(fixtures, 'createPatient', { body: rivera })
  const { id } = await invokeOk(fixtures, 'createTableExport', { body: {} })
  await completePending(fixtures)
  const { tables } = await invokeOk(fixtures, 'getTableExport', { id })
  const { pathname } = new URL(tables[0].url)
  const whole = await gateway.call(pathname, { as: null })
  const text = await whole.text()
  expect(whole.headers.get('content-type')).toBe('application/x-ndjson')
  expect(Number(whole.headers.get('content-length'))).toBe(tables[0].size_bytes)
  const headers = { range: 'bytes=7-', 'if-range': whole.headers.get('etag') ?? '' }
  const rest = await gateway.call(pathname, { as: null, headers })
  expect([rest.status, await rest.text()]).toEqual([206, text.slice(7)])
})
