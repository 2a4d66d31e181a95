// Clinic staff handle an order that its pharmacy hasn't accepted.

import { expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { type PharmacyClinic, usePharmacyClinic } from '../pharmacy/testing/clinic.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { runIntoLock } from '../testing/races.ts'

const fixtures = useFixtures()
const clinic = usePharmacyClinic(fixtures)

const read = (id: string) => clinic.staff.ok('readOrder', { as: clinic.doctor, id })
type Act = Parameters<PharmacyClinic['staff']['call']>[0]
const act = async (operation: Act, id: string, more: object = {}) => {
  const { updated_at: version } = await read(id)
  return clinic.staff.call(operation, { as: clinic.doctor, id, body: { version, ...more } })
}

async function stopped() {
  const made = await clinic.approve()
  clinic.double.answers.push(() => Response.json({ detail: 'Unknown drug' }, { status: 422 }))
  await clinic.transmit()
  return made
}

test('an order waiting to be sent, or given up on, can’t be updated manually', async () => {
  const due = await clinic.approve()
  const check = async (order: string) => {
    for (const [operation, more] of [
      ['shipOrder', {}],
      ['blockOrder', { reason: 'Out of stock' }],
      ['failOrder', {}],
    ] as const) {
      const { code } = await act(operation, order, more)
      expect([operation, code]).toEqual([operation, 'transmission_open'])
    }
    expect(await clinic.statusOf(order)).toBe('created')
  }
  await check(due.order)
  expect(await clinic.transmit()).toEqual({ accepted: 1 })
  expect((await act('shipOrder', due.order)).status).toBe(200)
  const given = await stopped()
  await check(given.order)
})

test('an order given up on shows why, and can be sent again', async () => {
  const { order } = await stopped()
  expect((await read(order)).transmission).toMatchObject({
    pharmacy: 'Example Pharmacy',
    status: 'stopped',
    error: 'rejected',
    http_status: 422,
    detail: 'Unknown drug',
  })
  const list = await clinic.staff.ok('listPharmacyOrders', {
    as: clinic.doctor,
    query: { status: 'created', limit: '100' },
  })
  const shown = list.data.find(({ id }: { id: string }) => id === order)
  expect(shown.transmission.status).toBe('stopped')
  const notSent = async () => {
    const query = { view: 'not_sent', limit: '100' }
    const { data } = await clinic.staff.ok('listPharmacyOrders', { as: clinic.doctor, query })
    return data.map((one: typeof shown) => [one.id, one.transmission.status])
  }
  expect(await notSent()).toContainEqual([order, 'stopped'])
  for (const [, status] of await notSent()) expect(status).toBe('stopped')
  expect((await act('resendOrder', order)).status).toBe(200)
  expect(await clinic.transmission(order)).toMatchObject({
    status: 'due',
    attempts: 0,
    error: null,
    detail: null,
  })
  expect((await notSent()).map(([id]: [string]) => id)).not.toContain(order)
  expect((await act('resendOrder', order)).code).toBe('invalid_transition')
  expect(await clinic.transmit()).toEqual({ accepted: 1 })
  for (const operation of ['resendOrder', 'takeOverOrder'] as const) {
    expect((await act(operation, order)).code).toBe('invalid_transition')
  }
})

test('an order that’s taken over is no longer sent, and is updated manually', async () => {
  for (const make of [clinic.approve, stopped]) {
    const { order, prescription } = await make()
    expect((await act('takeOverOrder', order)).status).toBe(200)
    await clinic.wait(100_000)
    expect(await clinic.transmit()).toEqual({})
    expect(clinic.double.orders.has(prescription)).toBe(false)
    const late = { type: 'order.failed', timestamp: new Date().toISOString(), data: { order } }
    expect((await clinic.send(late)).body).toEqual({ result: 'ignored' })
    expect((await act('shipOrder', order)).status).toBe(200)
  }
})

test('an order can’t be taken over while it’s being sent', async () => {
  const { order } = await clinic.approve()
  let during: unknown
  clinic.double.answers.push(async made => {
    during = (await act('takeOverOrder', order)).code
    return made()
  })
  expect(await clinic.transmit()).toEqual({ accepted: 1 })
  expect(during).toBe('invalid_transition')
  expect(await clinic.statusOf(order)).toBe('at_pharmacy')
})

test('when a worker claims an order while a person takes it over, only one gets it', async () => {
  const { order, prescription } = await clinic.approve()
  // The worker skips the locked row, so the staff member, who came first, gets the order.
  const [taken] = await runIntoLock<unknown>(
    fixtures,
    sql`select from pharmacy.transmissions where "order" = ${order} for update`,
    [async () => (await act('takeOverOrder', order)).status, async () => clinic.transmit()],
  )
  expect(taken).toBe(200)
  expect(await clinic.transmission(order)).toMatchObject({ status: 'by_hand', lease: null })
  expect(clinic.double.orders.has(prescription)).toBe(false)
  await queryAsOwner(fixtures, sql`update pharmacy.connections set ended_at = now()`)
})

test('without a connection, an order given up on can only be taken over', async () => {
  await clinic.connect()
  const { order } = await stopped()
  await queryAsOwner(fixtures, sql`update pharmacy.connections set ended_at = now()`)
  const refused = await act('resendOrder', order)
  expect(refused.code).toBe('invalid_transition')
  expect(refused.body.detail).toContain('No pharmacy is connected.')
  expect((await act('takeOverOrder', order)).status).toBe(200)
})

test('an order given up on is sent again to the pharmacy that’s connected now', async () => {
  const disconnect = () =>
    queryAsOwner(
      fixtures,
      sql`update pharmacy.connections set ended_at = now() where ended_at is null`,
    )
  await disconnect()
  await clinic.connect()
  const { order, prescription } = await stopped()
  const connectionOf = async () => {
    const [row] = await queryAsOwner<{ connection: string }>(
      fixtures,
      sql`select connection from pharmacy.transmissions where "order" = ${order}`,
    )
    return row?.connection
  }
  const former = await connectionOf()
  await disconnect()
  await clinic.connect()
  expect((await act('resendOrder', order)).status).toBe(200)
  expect(clinic.connection()).not.toBe(former ?? '')
  expect(await connectionOf()).toBe(clinic.connection())
  expect(await clinic.transmit()).toEqual({ accepted: 1 })
  expect(clinic.double.orders.has(prescription)).toBe(true)
})
