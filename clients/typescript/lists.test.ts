// The packed library's lists against the API, while another client writes.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openTestGateway } from '#gateway/testing/gateway.ts'
import { rivera } from '#clinical/testing/call.ts'
import { sdk } from './testing/package.ts'

/** The long run reads 12,000 rows. */
const rows = Number(process.env['LIST_ROWS'] ?? 230)

let gateway: Awaited<ReturnType<typeof openTestGateway>>
let svc: InstanceType<typeof sdk.Svc>
let requests: string[] = []
beforeAll(async () => {
  gateway = await openTestGateway({ rateLimit: 1_000_000 })
  svc = new sdk.Svc({
    apiKey: gateway.fixtures.ada.test,
    baseUrl: `http://localhost:${gateway.port}`,
    fetch: ((address, init) => {
      requests.push(new URL(String(address)).search)
      return fetch(address, init)
    }) as typeof fetch,
  })
  for (let made = 0; made < rows; made += 50) {
    const count = Math.min(50, rows - made)
    await Promise.all(Array.from({ length: count }, () => svc.patients.create(rivera)))
  }
  requests = []
}, 900_000)
afterAll(async () => {
  await gateway.close()
})

test('lists: every row arrives once and in order while rows are added', async () => {
  const walking = new AbortController()
  const written: string[] = []
  const writer = (async () => {
    while (!walking.signal.aborted) written.push((await svc.patients.create(rivera)).id)
  })()
  const ids: string[] = []
  for await (const { id } of svc.patients.list()) {
    ids.push(id)
    // If the list grows as fast as it's read, it never ends.
    if (ids.length >= rows) walking.abort()
  }
  await writer
  expect(ids.length).toBeGreaterThanOrEqual(rows)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.toSorted()).toEqual(ids)
  expect(written.length).toBeGreaterThan(0)
  // Rows written before the last page are included.
  const last = ids.at(-1) ?? ''
  expect(written.filter(id => id <= last && !ids.includes(id))).toEqual([])
}, 900_000)

test('lists: a loop requests full pages with every filter, and await requests one page', async () => {
  requests = []
  const list = svc.patients.list({ external_id: 'nothing' })
  expect(requests).toEqual([])
  for await (const _ of list) throw new Error('there is none')
  expect(requests).toEqual(['?external_id=nothing&limit=100'])
  const page = await svc.patients.list()
  expect([page.data.length, page.has_more, requests.length]).toEqual([20, true, 2])
  expect(JSON.stringify(page)).toBe(JSON.stringify({ data: page.data, has_more: true }))
  expect(page.requestId).toStartWith('req_')
  const next = await page.next()
  expect(next?.data[0]?.id.localeCompare(page.lastId ?? '')).toBe(1)
})

test('lists: pages, limited arrays and early exits send no extra request', async () => {
  const sizes: number[] = []
  for await (const { data } of svc.patients.list({ limit: 100 }).pages()) sizes.push(data.length)
  expect(sizes.slice(0, 2)).toEqual([100, 100])
  requests = []
  expect(await svc.patients.list().toArray({ max: 120 })).toHaveLength(120)
  expect(requests).toHaveLength(2)
  const none = {} as { max: number }
  await expect(svc.patients.list().toArray(none)).rejects.toThrow('needs { max }')
  for await (const _ of svc.patients.list()) break
  await svc.organization.get()
  expect(requests).toHaveLength(4)
})

test('lists: an error partway has the id to continue after', async () => {
  let calls = 0
  const failing = new sdk.Svc({
    apiKey: gateway.fixtures.ada.test,
    baseUrl: `http://localhost:${gateway.port}`,
    maxRetries: 0,
    fetch: ((address, init) =>
      ++calls === 2 ? Promise.reject(new TypeError('cut')) : fetch(address, init)) as typeof fetch,
  })
  const seen: string[] = []
  const walk = async () => {
    for await (const { id } of failing.patients.list()) seen.push(id)
  }
  const error = await walk().then(
    () => null,
    (failure: unknown) => failure,
  )
  expect(error).toBeInstanceOf(sdk.ConnectionError)
  expect(error).toMatchObject({ lastId: seen.at(-1) ?? '' })
  const rest = await svc.patients.list({ starting_after: seen.at(-1) ?? '' }).toArray({ max: 1 })
  expect(seen).not.toContain(rest[0]?.id ?? '')
})

test('lists: a cursor can have a name other than id', async () => {
  const all = await svc.medications.list().toArray({ max: 100 })
  const one: string[] = []
  for await (const each of svc.medications.list({ limit: 2 })) one.push(each.medication_id)
  expect(one).toEqual(all.map(each => each.medication_id))
  expect(one.length).toBeGreaterThan(2)
})
