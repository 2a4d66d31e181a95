// Data after a body on its connection: a trailer or a pipelined request. Bun then closes the
// connection, so a write first checks that nothing follows its body. That way, completed work
// always gets a response.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { callable, callableIds } from '#contract/callable.ts'
import { rivera } from '#contract/examples.ts'
import { isWrite } from '#contract/operation.ts'
import { type FormValues, hiddenFields, type TestBrowser } from '#auth/testing/browser.ts'
import { useConsolePages } from '#console/testing/console.ts'
import { acpSessions } from '#contract/site/acp.ts'
import { photo, reserveFile } from '#clinical/testing/files.ts'
import { validCalls } from '#clinical/testing/valid-calls.ts'
import { sql } from '#database/sql.ts'
import { usePortal } from '#portal/testing/portal.ts'
import { create, newBuyer } from './testing/acp-agent.ts'
import { type AgentsFixture, bookingPages, openAgents } from '#gateway/testing/agents.ts'
import { exchange, openTestGateway } from '#gateway/testing/gateway.ts'
import { listen } from '#gateway/origins/listen.ts'
import { type ClinicalTools, openClinicalTools } from './testing/clinical-tools.ts'
import { type EndpointRouter, httpCallOf, send } from './testing/example-calls.ts'

const [consolePages, portal] = [useConsolePages(), usePortal()]
let gateway: EndpointRouter
let tools: ClinicalTools
let agents: AgentsFixture
const site = listen('127.0.0.1', 0)
beforeAll(async () => {
  gateway = await openTestGateway()
  tools = await openClinicalTools({ beside: gateway.fixtures })
  agents = await openAgents(bookingPages)
  site.serve(request => agents.answer(request))
}, 60_000)
afterAll(async () => {
  await site.stop(true)
  await Promise.all([tools?.close(), agents?.close()])
  await gateway?.close()
})

type RawRequest = { method: string; path: string; headers: Record<string, string>; body: string }

const head = ({ method, path, headers }: RawRequest, more: string) =>
  [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...pairs(headers), more, '', ''].join('\r\n')
const pairs = (headers: Record<string, string>) =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
const chunks = ({ body }: RawRequest) => `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n`
const coding = 'Transfer-Encoding: chunked'
const whole = (sent: RawRequest) =>
  head(sent, `Content-Length: ${Buffer.byteLength(sent.body)}`) + sent.body
const trailer = '0\r\nX-Sum: 1\r\n\r\n'

/** Each shape in one piece, or in two. The second piece ends the body. */
const shapes: Record<string, (sent: RawRequest) => string[]> = {
  'a trailer': sent => [head(sent, coding) + chunks(sent) + trailer],
  'a trailer in a piece of its own': sent => [head(sent, coding) + chunks(sent), trailer],
  'another request': sent => [`${whole(sent)}GET / HTTP/1.1\r\nHost: localhost\r\n\r\n`],
  'the same request': sent => [whole(sent) + whole(sent)],
  'no request': sent => [`${whole(sent)}more\r\n\r\n`],
}

/** Sends every shape; no request may succeed. */
async function refuseAll(port: number, sent: RawRequest): Promise<void> {
  for (const [name, piecesOf] of Object.entries(shapes)) {
    const text = await exchange(port, ...piecesOf(sent))
    expect([name, /HTTP\/1\.1 [^4]/.test(text)]).toEqual([name, false])
  }
  const announced = await exchange(
    port,
    head(sent, `${coding}\r\nTrailer: X-Sum`) + chunks(sent) + trailer,
  )
  expect(announced).toMatch(/^HTTP\/1\.1 400 .*connection: close.*invalid_request.*trailer/is)
}

const json = { 'content-type': 'application/json' }

for (const id of callableIds.filter(each => isWrite(callable[each]))) {
  test(`${id}: is not performed before its bytes have ended`, async () => {
    const { ada } = gateway.fixtures
    const call = { key: `framing-${id}`, ...(await validCalls[id](gateway.fixtures, ada.test)) }
    const { path, init } = httpCallOf(id, call)
    init.headers.set('authorization', `Bearer ${call.as ?? ada.test}`)
    const headers = Object.fromEntries(init.headers)
    gateway.at(call.at)
    await refuseAll(gateway.port, {
      method: callable[id].method,
      path,
      headers,
      body: String(init.body),
    })
    const answer = await send(gateway, id, call)
    expect(answer.status).toBe(callable[id].status)
    expect(answer.headers.get('idempotent-replayed')).toBeNull()
  })
}

test('upload: is not stored before its bytes have ended', async () => {
  const { fixtures, port } = gateway
  const { upload_url, upload_headers } = await reserveFile(fixtures, { as: fixtures.ada.live })
  const path = new URL(upload_url).pathname
  await refuseAll(port, {
    method: 'PUT',
    path,
    headers: upload_headers,
    body: photo.toString('latin1'),
  })
  const sizes = () =>
    fixtures.owner.use(connection =>
      connection.run(sql`select size_bytes from live.files where size_bytes is not null`),
    )
  expect(await sizes()).toEqual([])
  await gateway.call(path, { method: 'PUT', headers: upload_headers, body: photo, as: null })
  expect(await sizes()).toHaveLength(1)
})

type Form = { origin: string; page: string; values: FormValues }
/** Sends a page's form in every shape. Returns a function that submits it like a browser. */
async function submitFramed(browser: TestBrowser, { origin, page, values }: Form) {
  const shown = await browser.get(page)
  const { port } = new URL(origin)
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'sec-fetch-site': 'same-origin',
    cookie: [...browser.cookies].map(pair => pair.join('=')).join('; '),
  }
  const body = new URLSearchParams({ ...hiddenFields(shown.text, page), ...values }).toString()
  await refuseAll(Number(port), { method: 'POST', path: page, headers, body })
  return () => browser.submit(page, values)
}

test('console and portal: no form is processed before its bytes have ended', async () => {
  const { browser, person, home } = await consolePages.signIn()
  const reply = { kind: 'decline', scope: 'own', name: 'In person', body: 'Please come in.' }
  const texts = () =>
    consolePages.fixtures.owner.use(connection =>
      connection.run(sql`select from auth.clinic_texts where person = ${person}`),
    )
  const save = await submitFramed(browser, {
    origin: consolePages.origin,
    page: `${home}/templates`,
    values: reply,
  })
  expect(await texts()).toEqual([])
  await save()
  expect(await texts()).toHaveLength(1)

  const member = await portal.signIn()
  const page = `${member.home}/test/keys/new`
  const keys = () =>
    portal.fixtures.owner.use(connection =>
      connection.run(sql`select from auth.credentials where name = 'Framed'`),
    )
  const create = await submitFramed(member.browser, {
    origin: portal.origin,
    page,
    values: { name: 'Framed', scope: 'organization:read' },
  })
  expect(await keys()).toEqual([])
  await create()
  expect(await keys()).toHaveLength(1)
})

test('tool server: no tool writes before its bytes have ended', async () => {
  const { ada, owner } = gateway.fixtures
  const body = { ...rivera, external_id: 'by a tool' }
  const call = { name: 'create_patient', arguments: { ...body, idempotency_key: 'framing' } }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }
  const { port, pathname } = new URL(tools.url)
  const headers = { ...json, authorization: `Bearer ${ada.test}` }
  await refuseAll(Number(port), {
    method: 'POST',
    path: pathname,
    headers,
    body: JSON.stringify(message),
  })
  const rows = () =>
    owner.use(connection =>
      connection.run(sql`select from test.patients where external_id = 'by a tool'`),
    )
  expect(await rows()).toEqual([])
  await tools.post(JSON.stringify(message))
  expect(await rows()).toHaveLength(1)
})

test('booking: neither a form nor a checkout books before its bytes have ended', async () => {
  const session = await create(agents)
  const before = await agents.rowCounts()
  const form = 'application/x-www-form-urlencoded'
  const [slot] = await agents.bookingService.bookingService.availability({ days: 31 })
  const values = new URLSearchParams({ ...newBuyer(), start: slot?.start ?? '' })
  const sent: [path: string, type: string, body: string][] = [
    ['/booking/confirm', form, values.toString()],
    [
      `${acpSessions}/${session}/complete`,
      'application/json',
      JSON.stringify({ buyer: newBuyer() }),
    ],
  ]
  for (const [path, type, body] of sent) {
    await refuseAll(site.port, { method: 'POST', path, headers: { 'content-type': type }, body })
  }
  expect(await agents.rowCounts()).toEqual(before)
  for (const [path, type, body] of sent) {
    const answer = await agents.ask(path, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    })
    expect([path, answer.status < 400]).toEqual([path, true])
  }
  const { bookings = 0 } = await agents.rowCounts()
  expect(bookings - (before['bookings'] ?? 0)).toBe(2)
})
