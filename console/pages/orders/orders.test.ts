// Tests the order board: numbers, allergies, label and packing slip, and a failure with its reason.
import { expect, test } from 'bun:test'
import { invokeOk, queuedCase, rivera } from '#clinical/testing/call.ts'
import { openOrganization } from '#auth/integrations.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { sql } from '#database/sql.ts'
import { submitWhole } from '../../testing/submit-whole.ts'
import { useConsolePages } from '../../testing/console.ts'

const pages = useConsolePages()
const states = [rivera.address.state]

async function orderOf(answers: object[], plan: Record<string, string> = {}) {
  const as = pages.fixtures.ada.live
  const { id } = await queuedCase(pages.fixtures, as, { answers })
  const doctor = await pages.signIn({ states })
  await doctor.browser.get(`${doctor.home}/cases/${id}`)
  await submitWhole(doctor.browser, `${doctor.home}/cases/${id}/approve`, plan)
  const { order_ids } = await invokeOk(pages.fixtures, 'getCase', { as, id })
  return { id: order_ids[0] as string, as }
}

test('an order shows its number and the allergies, on screen and on paper, and no other intake answer', async () => {
  const answers = [
    { id: 'a', question: 'Any allergies?', answer: 'Penicillin' },
    { id: 'b', question: 'Do you drink?', answer: 'On Sundays' },
  ]
  const { id } = await orderOf(answers, { line_0_refills: '1' })
  const { browser, home } = await pages.signIn({ roles: ['pharmacy'] })
  const number = `${id.slice(-8, -4)}-${id.slice(-4)}`.toUpperCase()
  const path = `${home}/orders/${id}`
  expect((await browser.get(`${home}/orders`)).text).toContain(`>${number}</a>`)
  for (const [page, words] of [
    [path, ['Penicillin', number]],
    [`${path}/label`, [number, 'Ada Rivera', '28 days’ supply · 1 refill<', 'Prescriber: Ada']],
    [`${path}/packing-slip`, [number, 'Penicillin', '1600 Stockton Street']],
  ] as const) {
    const { status, text } = await browser.get(page)
    expect([page, status]).toEqual([page, 200])
    for (const word of words) expect(text).toContain(word)
    expect(text).not.toContain('On Sundays')
  }
})

test('an order fails only with a reason, and ships with a named carrier', async () => {
  const { id, as } = await orderOf([])
  const { browser, home } = await pages.signIn({ roles: ['pharmacy'] })
  const path = `${home}/orders/${id}`
  expect((await browser.get(path)).text).toContain('>FedEx</option>')
  expect((await browser.submit(`${path}/fail`, { reason: ' ' })).status).toBe(400)
  expect((await invokeOk(pages.fixtures, 'getOrder', { as, id })).status).toBe('created')
  const failed = await browser.submit(`${path}/fail`, { reason: 'Lost in the mail.' })
  expect(failed.text).toContain('Lost in the mail.')
  expect(await invokeOk(pages.fixtures, 'getOrder', { as, id })).toMatchObject({
    status: 'failed',
    reason: 'Lost in the mail.',
  })
  expect(pages.failures).toEqual([])
})

test('orders that a pharmacy didn’t get have a list of their own', async () => {
  const { fixtures } = pages
  const { browser, home } = await pages.signIn({ roles: ['pharmacy'] })
  const tabs = async (page: string) => (await browser.get(`${home}${page}`)).text
  expect(await tabs('/orders')).not.toContain('Not sent')
  await queryAsOwner(
    fixtures,
    sql`insert into pharmacy.connections (id, organization, name, url, secret)
        values ('phc_1', ${fixtures.clinic}, 'Corner Pharmacy', 'https://pharmacy.example', 'x')`,
  )
  const { id } = await orderOf([])
  const sent = await orderOf([])
  // The other tests fill their orders by hand.
  await queryAsOwner(fixtures, sql`update pharmacy.connections set ended_at = now()`)
  await queryAsOwner(
    fixtures,
    sql`update pharmacy.transmissions set status = 'stopped', error = 'rejected' where "order" = ${id}`,
  )
  const mark = /data-mark="([^"]*)"/.exec(await tabs('/orders'))?.[1]
  await queryAsOwner(
    fixtures,
    sql`update pharmacy.transmissions set status_at = now() where "order" = ${id}`,
  )
  expect(await tabs('/orders')).not.toContain(`data-mark="${mark}"`)
  // The tab doesn't depend on the orders in the list.
  expect(await tabs('/orders?status=blocked')).toContain('>Not sent</a>')
  const [address = ''] = /[^"]*status=not_sent/.exec(await tabs('/orders')) ?? []
  const { text } = await browser.get(address)
  expect([id, sent.id].map(one => text.includes(one))).toEqual([true, false])
  const foreign = await fixtures.owner.use(one => openOrganization(one, 'Elsewhere', 'elsewhere'))
  const other = await pages.signIn({ roles: ['pharmacy'], organization: foreign })
  expect((await other.browser.get(`${other.home}/orders`)).text).not.toContain('Not sent')
  await queryAsOwner(
    fixtures,
    sql`update pharmacy.transmissions set status = 'by_hand' where "order" = ${id}`,
  )
  expect(await tabs('/orders')).not.toContain('Not sent')
  expect(pages.failures).toEqual([])
})

test('a change to an order that a pharmacy accepted says that the pharmacy isn’t notified', async () => {
  const { id } = await orderOf([])
  await queryAsOwner(
    pages.fixtures,
    sql`insert into pharmacy.transmissions
          (tenant, prescription, "order", organization, connection, status, reference)
        select o.tenant, o.prescription, o.id, c.organization, c.id, 'accepted', 'RX-1'
          from live.orders o, pharmacy.connections c where o.id = ${id}`,
  )
  const { browser, home } = await pages.signIn({ roles: ['pharmacy'] })
  const path = `${home}/orders/${id}`
  const called = 'Corner Pharmacy has this order and won’t be notified. Call them first.'
  const count = () => browser.page.text.split(called).length - 1
  await browser.get(path)
  expect(count()).toBe(2)
  await browser.submit(`${path}/block`, { reason: 'Wrong dose.' })
  expect([browser.page.text.includes('Order blocked.'), count()]).toEqual([true, 2])
  await browser.submit(`${path}/unblock`)
  expect(browser.page.text).toContain('Order unblocked.')
  const own = await orderOf([])
  const { text } = await browser.get(`${home}/orders/${own.id}`)
  expect(text).toContain('>Block order</button>')
  expect(text).not.toContain('won’t be notified')
  expect(pages.failures).toEqual([])
})

test('a shipped order links its tracking page', async () => {
  const { id } = await orderOf([])
  const { browser, home } = await pages.signIn({ roles: ['pharmacy'] })
  const path = `${home}/orders/${id}`
  await browser.get(path)
  const url = 'https://tracking.example.com/1Z?a=1'
  const { text } = await browser.submit(`${path}/ship`, { carrier: 'ups', number: '1Z', url })
  expect(text).toContain('Order shipped.')
  expect(text).toMatch(/<a href="https:\/\/tracking\.example\.com\/1Z\?a=1"[^>]*>UPS 1Z<\/a>/)
})

test('shipped orders are listed newest first, and older ones are on the next pages', async () => {
  const { id } = await orderOf([])
  const orders = 60
  await queryAsOwner(
    pages.fixtures,
    sql`insert into live.orders
        select (jsonb_populate_record(o, jsonb_build_object(
                 'id', 'ord_' || lpad(n::text, 26, '0'), 'status', 'shipped'))).*
          from live.orders o, generate_series(1, ${orders}::int) n where o.id = ${id}`,
  )
  const { browser, home } = await pages.signIn({ roles: ['pharmacy'] })
  const shown: number[] = []
  let next: string | undefined = `${home}/orders?status=shipped`
  while (next !== undefined) {
    const { text } = await browser.get(next)
    const found = [...text.matchAll(/\/orders\/ord_0{2,}(\d+)"/g)].map(([, n]) => Number(n))
    shown.push(...found)
    next = /<a href="([^"]*)">Older</.exec(text)?.[1]?.replaceAll('&amp;', '&')
  }
  expect(shown).toEqual(Array.from({ length: orders }, (_, at) => orders - at))
  const last = browser.page.text
  expect(/<a href="([^"]*)">Latest</.exec(last)?.[1]).toBe(`${home}/orders?status=shipped`)
  // Orders to fill stay oldest first.
  expect((await browser.get(`${home}/orders`)).text).toContain(`/orders/${id}"`)
  expect(pages.failures).toEqual([])
})
