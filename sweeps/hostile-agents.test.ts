// Hostile requests to the agents' endpoints, and requests without a database. No request may cause
// a 500, an exposed stack trace or a partial booking.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { a2aPath, agentCard } from '#contract/site/a2a.ts'
import { acpDates, acpItem, acpSessions } from '#contract/site/acp.ts'
import { siteAgent } from '#content/agent.ts'
import { create } from './testing/acp-agent.ts'
import { a2aEndpoints } from '#gateway/a2a/routes.ts'
import { acpEndpoints } from '#gateway/acp/routes.ts'
import { readConfig } from '#gateway/settings/config.ts'
import { testRouter } from '#http/testing/endpoints.ts'
import { createSiteGroup } from '#gateway/server/content.ts'
import { createSiteServices } from '#gateway/server/site-services.ts'
import { type AgentsFixture, openAgents, site } from '#gateway/testing/agents.ts'
import { loadSite } from '#gateway/static/static.ts'

let context: AgentsFixture
let session: string
beforeAll(async () => {
  context = await openAgents()
  session = await create(context)
}, 60_000)
afterAll(() => context?.close())

const seed = 20261121
const internals =
  /\bat (?:async )?\S+ \(|\/\w+\/\w+\.ts|postgres|sqlstate|TypeError|select |insert /i

/** Field names, both known to the endpoints and unknown. */
const names =
  'buyer first_name last_name email phone phone_number items line_items id quantity item message parts data text kind role messageId params method jsonrpc contextId taskId configuration user_consent start timezone order_notes __proto__ constructor toString'
const name = fc.constantFrom('', ...names.split(' '))
const words = 'message/send SendMessage 2.0 user ROLE_USER data text ada@example.com Ada {brand}'
const odd = ['\u0000', '\ud800', '9'.repeat(400), "'; drop", acpItem.id, '2026-11-30T14:00:00Z']
const word = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('America/New_York', ...words.split(' ')),
  fc.constantFrom('Etc/../passwd', ...odd),
)
const { value } = fc.letrec(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    word,
    fc.oneof(fc.integer(), fc.double(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 5 }),
  ),
}))
const form = fc.dictionary(name, word, { maxKeys: 6 })
const message = fc.record({
  jsonrpc: fc.constant('2.0'),
  id: fc.oneof(fc.integer(), word, fc.constant(null)),
  method: fc.constantFrom('message/send', 'SendMessage', 'tasks/get', 'GetTask', 'ListTasks'),
  params: fc.record({
    message: fc.record({
      messageId: word,
      role: fc.constantFrom('user', 'ROLE_USER'),
      parts: fc.array(
        fc.oneof(
          form.map(data => ({ kind: 'data', data })),
          form.map(data => ({ data })),
          value,
        ),
        { maxLength: 3 },
      ),
    }),
    configuration: value,
    metadata: value,
  }),
})
const wanted = fc.constant({ items: [{ id: acpItem.id }] })
const cart = fc.record(
  {
    buyer: fc.oneof(form, value),
    items: value,
    line_items: value,
    order_notes: word,
  },
  { requiredKeys: [] },
)
const bytes = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.oneof(cart, wanted, message, value).map(each => JSON.stringify(each)),
  },
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.uint8Array({ maxLength: 200 }).map(each => Buffer.from(each).toString('latin1')),
)
const path = fc.constantFrom('', '/:id', '/:id/complete', '/:id/cancel', '/cs_none', 'a2a')
const dates = acpDates.map(date => ({ 'api-version': date }))
const header = fc.constantFrom<Record<string, string>>(
  {},
  ...dates,
  { 'api-version': '9999-99-99' },
  { 'a2a-version': '1.0' },
  { 'a2a-version': 'x' },
  { 'content-type': 'text/html' },
)
const key = fc.option(fc.constantFrom('a', '"b"', 'two words', 'k'.repeat(300)), { nil: undefined })

test('agents: generated bodies, headers and keys get a protocol response', async () => {
  const seen = new Set<number>()
  const sends = fc.asyncProperty(
    path,
    bytes,
    header,
    key,
    async (where, body, headers, idempotency) => {
      const at = where === 'a2a' ? a2aPath : acpSessions + where.replace(':id', session)
      const response = await context.ask(at, {
        method: 'POST',
        body: Buffer.from(body, 'utf8'),
        headers: {
          'content-type': 'application/json',
          ...headers,
          ...(idempotency === undefined ? {} : { 'idempotency-key': idempotency }),
        },
      })
      const text = await response.text()
      seen.add(response.status)
      expect([response.status < 500, text]).toEqual([true, expect.not.stringMatching(internals)])
      const answer = JSON.parse(text)
      if (where === 'a2a' && response.status === 200) expect(answer.jsonrpc).toBe('2.0')
      else if (response.status >= 400 && where !== 'a2a')
        expect(answer.messages[0].type).toBe('error')
    },
  )
  await fc.assert(sends, { seed, numRuns: 600 })
  for (const status of [200, 201, 400, 404]) expect(seen).toContain(status)
}, 60_000)

test('agents: every booking has its emails', async () => {
  const [row] = await context.owner`
    select count(*)::int as half from site.bookings b
    where not exists (select from site.emails m where m.subject = b.id)`
  expect(row.half).toBe(0)
})

test('without the database, requests that don’t use it succeed, and others get a retryable error', async () => {
  const url = 'postgres://app_site@127.0.0.1:9/none'
  const folder = mkdtempSync(join(tmpdir(), 'away-'))
  const away = createSiteServices({
    url,
    peppers: ['x'],
    base: site,
    urls: { auth: site, portal: site, console: site },
    config: readConfig({ DATA_DIR: folder, POOL_SIZE: '1' }),
    site: () => loadSite(folder),
    log: { request() {}, event() {}, flush() {} },
  })
  const group = createSiteGroup({
    endpoints: [...acpEndpoints(away), ...a2aEndpoints({ ...away, card: agentCard(siteAgent) })],
    onError: () => {},
  })
  const { enter } = testRouter(group)
  const post = async (at: string, body: object, headers = {}) => {
    const init = { method: 'POST', body: JSON.stringify(body), headers }
    const request = new Request(`${site}${at}`, init)
    request.headers.set('content-type', 'application/json')
    return enter(request, { address: null })
  }
  const items = [{ id: acpItem.id }]
  const made = await post(acpSessions, { items })
  expect(made.status).toBe(201)
  const { id } = await made.json()
  const buyer = { first_name: 'Ada', email: 'ada@rivera-clinic.com' }
  const parts = [{ kind: 'data', data: buyer }]
  const sent = { messageId: 'm', role: 'user', parts }
  const call = { jsonrpc: '2.0', id: 1, method: 'message/send', params: { message: sent } }
  for (const answer of [
    await post(acpSessions, { items }, { 'idempotency-key': 'k' }),
    await post(`${acpSessions}/${id}/complete`, { buyer }),
    await post(a2aPath, call),
  ]) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await answer.text()).not.toMatch(internals)
  }
  await away.close()
  rmSync(folder, { recursive: true })
}, 60_000)
