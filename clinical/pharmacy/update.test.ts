// A pharmacy's updates must be signed and about its own orders. They may arrive in any order, and
// each counts once.

import { describe, expect, test } from 'bun:test'
import { newId } from '#auth/ids.ts'
import { openOrganization } from '#auth/integrations.ts'
import { randomBytes } from '#database/clock.ts'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { newSecret } from '../webhooks/secret.ts'
import { usePharmacyClinic } from './testing/clinic.ts'
import { signedUpdate } from './testing/double.ts'
import { pharmacyJobs } from './transmit.ts'

const fixtures = useFixtures()
const clinic = usePharmacyClinic(fixtures)

const tracking = { carrier: 'ups', number: '1Z999AA10123456784' } as const
const second = 1000
const at = (seconds: number) => new Date(Date.now() - (100 - seconds) * second).toISOString()

const update = (type: string, order: string, seconds: number, data: object = {}) => ({
  type,
  timestamp: at(seconds),
  data: { order, ...data },
})

async function accepted() {
  const made = await clinic.approve()
  await clinic.transmit()
  return made
}

const acts = (order: string) =>
  queryAsOwner<{ outcome: string; code: string | null; status: number }>(
    fixtures,
    sql`select outcome, code, status from audit.entries
         where action = 'updateOrder' and target = ${order} order by at`,
  )

describe('updates', () => {
  test('an order is blocked, resumed, shipped and delivered, as on the board', async () => {
    const { order, prescription } = await accepted()
    for (const [type, data, status] of [
      ['order.blocked', { reason: 'Out of stock' }, 'blocked'],
      ['order.at_pharmacy', {}, 'at_pharmacy'],
      ['order.shipped', { tracking }, 'shipped'],
      ['order.delivered', {}, 'delivered'],
    ] as const) {
      const sent = await clinic.send(update(type, order, 10, data))
      expect([type, sent]).toEqual([type, { status: 200, body: { result: 'applied' } }])
      expect(await clinic.statusOf(order)).toBe(status)
    }
    expect(await clinic.eventsOf(order)).toEqual([
      'order.created.v1',
      'order.at_pharmacy.v1',
      'order.blocked.v1',
      'order.at_pharmacy.v1',
      'order.shipped.v1',
      'order.delivered.v1',
    ])
    expect(await clinic.eventsOf(prescription)).toEqual([
      'prescription.created.v1',
      'prescription.updated.v1',
    ])
    const shown = await clinic.staff.ok('readOrder', { as: clinic.doctor, id: order })
    expect(shown).toMatchObject({
      status: 'delivered',
      tracking,
      moved_by: 'Example Pharmacy',
      prescribed: { status: 'filled' },
    })
  })

  test('an update before the transmission’s response proves that it was accepted', async () => {
    const { order } = await clinic.approve()
    clinic.double.answers.push(async made => {
      const answer = made()
      await clinic.send(update('order.shipped', order, 10, { tracking }))
      return answer
    })
    expect(await clinic.transmit()).toEqual({ lost: 1 })
    expect(await clinic.statusOf(order)).toBe('shipped')
    expect(await clinic.transmission(order)).toMatchObject({
      status: 'accepted',
      reference: expect.stringMatching(/^RX-/),
    })
    expect(await clinic.eventsOf(order)).toEqual([
      'order.created.v1',
      'order.at_pharmacy.v1',
      'order.shipped.v1',
    ])
    await clinic.wait(1000)
    expect(await clinic.transmit()).toEqual({})
  })

  test('an update counts once, even if it’s sent twice at the same time', async () => {
    const { order } = await accepted()
    const shipped = update('order.shipped', order, 10)
    const id = newId('request')
    const sent = await Promise.all([1, 2, 3].map(() => clinic.send(shipped, { id })))
    expect(sent.map(({ body }) => body.result).toSorted()).toEqual([
      'applied',
      'duplicate',
      'duplicate',
    ])
    expect((await clinic.send(shipped, { id })).body).toEqual({ result: 'duplicate' })
    const other = await clinic.send(update('order.failed', order, 20), { id })
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused'])
    expect(await clinic.statusOf(order)).toBe('shipped')
    expect((await clinic.eventsOf(order)).length).toBe(3)
    const outcomes = (await acts(order)).map(({ outcome }) => outcome)
    expect(outcomes.toSorted()).toEqual(['ok', 'refused', 'replayed', 'replayed', 'replayed'])
  })

  test('an older update, and one that can no longer move the order, are ignored and audited', async () => {
    const { order } = await accepted()
    await clinic.send(update('order.blocked', order, 20, { reason: 'Address' }))
    for (const late of [
      update('order.at_pharmacy', order, 19),
      update('order.shipped', order, 10),
      update('order.blocked', order, 30, { reason: 'Again' }),
    ]) {
      expect(await clinic.send(late)).toEqual({ status: 200, body: { result: 'ignored' } })
    }
    expect(await clinic.statusOf(order)).toBe('blocked')
    expect((await acts(order)).slice(1)).toEqual(
      [1, 2, 3].map(() => ({ outcome: 'refused', code: 'update_ignored', status: 200 })),
    )
    await clinic.send(update('order.failed', order, 40, { reason: 'Recalled' }))
    expect((await clinic.send(update('order.shipped', order, 50))).body.result).toBe('ignored')
    expect(await clinic.statusOf(order)).toBe('failed')
  })

  test('a delivery that arrives before its shipment is refused, and counts when sent again', async () => {
    const { order } = await accepted()
    const delivered = update('order.delivered', order, 20)
    const id = newId('request')
    const early = await clinic.send(delivered, { id })
    expect([early.status, early.body]).toMatchObject([
      409,
      { code: 'invalid_transition', current_status: 'at_pharmacy' },
    ])
    expect((await clinic.send(update('order.shipped', order, 10))).body.result).toBe('applied')
    expect((await clinic.send(delivered, { id })).body).toEqual({ result: 'applied' })
    expect(await clinic.statusOf(order)).toBe('delivered')
  })
})

describe('refusals of updates', () => {
  test('an unknown order, another clinic’s and another pharmacy’s: the same 404', async () => {
    const { order } = await accepted()
    const first = clinic.connection()
    const answers = [await clinic.send(update('order.shipped', newId('order'), 10))]
    const other = await fixtures.owner.use(connection =>
      openOrganization(connection, 'Another clinic', `other-${Date.now()}`),
    )
    await clinic.connect(clinic.double.url, other)
    answers.push(await clinic.send(update('order.shipped', order, 10)))
    await queryAsOwner(
      fixtures,
      sql`update pharmacy.connections set ended_at = now() where id = ${first}`,
    )
    await clinic.connect()
    answers.push(await clinic.send(update('order.shipped', order, 10)))
    for (const { status, body } of answers) {
      expect([status, body.code, body.detail]).toEqual([
        404,
        'not_found',
        'This connection has no such order.',
      ])
    }
    expect(await clinic.statusOf(order)).toBe('at_pharmacy')
  })

  test('an unknown connection and a wrong, missing or old signature: the same 401', async () => {
    const { order } = await accepted()
    const shipped = update('order.shipped', order, 10)
    const { body, headers } = signedUpdate(clinic.secret, shipped, { id: 'a' })
    const old = signedUpdate(clinic.secret, shipped, {
      id: 'a',
      at: new Date(Date.now() - 301_000),
    })
    const soon = signedUpdate(clinic.secret, shipped, {
      id: 'a',
      at: new Date(Date.now() + 302_000),
    })
    const own = clinic.connection()
    const answers = [
      await clinic.post(newId('pharmacy'), body, headers),
      await clinic.post('phm_1', body, headers),
      await clinic.send(shipped, { by: newSecret(randomBytes) }),
      await clinic.post(own, body.replace('ups', 'dhl').replace('shipped', 'blocked'), headers),
      await clinic.post(own, body, { ...headers, 'webhook-id': 'b' }),
      await clinic.post(own, body, { ...headers, 'webhook-signature': '' }),
      await clinic.post(own, body, { ...headers, 'webhook-signature': 'v1,' }),
      await clinic.post(own, old.body, old.headers),
      await clinic.post(own, soon.body, soon.headers),
    ]
    const [first] = answers
    for (const answer of answers) {
      expect(answer.status).toBe(401)
      expect({ ...answer.body, request_id: '' }).toEqual({ ...first?.body, request_id: '' })
    }
    expect(await clinic.statusOf(order)).toBe('at_pharmacy')
    expect((await clinic.post(own, body, headers)).body).toEqual({ result: 'applied' })
  })

  test('a replaced secret is accepted for a day', async () => {
    const { order } = await accepted()
    const secret = newSecret(randomBytes)
    const { encryption } = fixtures.context.webhooks
    const sealed = encryption.encrypt(`secret of the pharmacy ${clinic.connection()}`, secret)
    await queryAsOwner(
      fixtures,
      sql`update pharmacy.connections
             set previous_secret = secret, secret = ${sealed},
                 previous_secret_expires_at = now() + interval '1 hour'
           where id = ${clinic.connection()}`,
    )
    const blocked = update('order.blocked', order, 10, { reason: 'Address' })
    expect((await clinic.send(blocked, { by: secret })).status).toBe(200)
    expect((await clinic.send(update('order.at_pharmacy', order, 20))).body.result).toBe('applied')
    await queryAsOwner(
      fixtures,
      sql`update pharmacy.connections set previous_secret_expires_at = now() - interval '1 ms'
           where id = ${clinic.connection()}`,
    )
    expect((await clinic.send(update('order.shipped', order, 30))).status).toBe(401)
    await queryAsOwner(
      fixtures,
      sql`update pharmacy.connections set previous_secret_expires_at = null, previous_secret = null,
                 secret = ${encryption.encrypt(`secret of the pharmacy ${clinic.connection()}`, clinic.secret)}
           where id = ${clinic.connection()}`,
    )
  })

  test.each([
    [{}, ['#/type', '#/timestamp', '#/data']],
    [update('order.lost', '1', 10), ['#/type', '#/data/order']],
    [{ ...update('order.shipped', newId('order'), 10), more: 1 }, ['#/more']],
    [update('order.blocked', newId('order'), 10), ['#/data/reason']],
    [update('order.shipped', newId('order'), 10, { reason: 'x' }), ['#/data/reason']],
    [update('order.delivered', newId('order'), 10, { tracking }), ['#/data/tracking']],
    [update('order.shipped', newId('order'), 500), ['#/timestamp']],
  ])('%#: names each fault in the body', async (body, pointers) => {
    const refused = await clinic.send(body)
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request'])
    expect(refused.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers)
  })

  test('an oversized body isn’t read', async () => {
    const { status } = await clinic.post(clinic.connection(), 'x'.repeat(70_000), {})
    expect(status).toBe(413)
  })

  test('all IDs older than thirty days are deleted in one run', async () => {
    await queryAsOwner(
      fixtures,
      sql`insert into pharmacy.updates (connection, id, digest, result, received_at)
          select ${clinic.connection()}, 'old ' || n, '', 'ignored',
                 now() - interval '30 days' + case when n = 0 then '1 minute' else '-1 ms' end::interval
            from generate_series(0, 2001) n`,
    )
    const forget = pharmacyJobs(clinic.parts).find(({ name }) => name === 'pharmacy.forget')
    await forget?.run(fixtures.workerContext, ['live'], () => null)
    const left = sql`select id from pharmacy.updates where id like 'old %'`
    expect(await queryAsOwner(fixtures, left)).toEqual([{ id: 'old 0' }])
  })
})
