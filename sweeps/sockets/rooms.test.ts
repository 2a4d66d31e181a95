// Pages in a visit's video room, at two gateways: who gets in, what each side learns about the
// other, and what ends the call.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { roomCloses } from '#clinical/rooms/room-protocol.ts'
import { emptySeatsJob } from '#clinical/rooms/empty-seats-job.ts'
import { invokeOk } from '#clinical/testing/call.ts'
import { fixturesBase as base, useFixtures } from '#clinical/testing/fixtures.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { visitCookie } from '#clinical/rooms/visit-cookie.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { linkTicketOf, useRoomVisits } from '#clinical/rooms/testing/room-visits.ts'
import {
  enterRoom,
  openRoomGateway,
  roomCookieOf,
  type RoomGateway,
} from '../testing/room-gateway.ts'

const fixtures = useFixtures()
const { visitor, visitNow } = useRoomVisits(fixtures)
const gateways: RoomGateway[] = []

beforeAll(() => void gateways.push(openRoomGateway(fixtures), openRoomGateway(fixtures)))
afterAll(async () => {
  for (const gateway of gateways) await gateway.close()
})

function enter(ticket: string, at = 0, headers: Record<string, string> = {}) {
  const gateway = gateways[at]
  if (gateway === undefined) throw new Error('there are two gateways')
  return enterRoom(gateway, ticket, visitor, headers)
}

describe('a room', () => {
  test('opens when the visit starts, and carries messages in order between two gateways', async () => {
    const visit = await visitNow()
    const patient = enter(visit.patient, 0)
    const clinician = enter(visit.clinician, 1)
    await Promise.all([patient.has('welcome'), clinician.has('welcome')])
    expect([patient.find('welcome')?.['seat'], clinician.find('welcome')?.['seat']]).toEqual([
      'patient',
      'clinician',
    ])
    await until(() => patient.find('state')?.['other'] === 'here')
    await until(() => clinician.find('state')?.['other'] === 'here')
    expect(patient.find('state')).toMatchObject({ status: 'scheduled' })
    expect(patient.find('open')).toBeUndefined()
    await visit.move('startClinicVisit')
    await Promise.all([patient.has('open'), clinician.has('open')])
    const entry = patient.find('open')?.['entry'] as { iceServers: { username: string }[] }
    expect(entry).toMatchObject({
      kind: 'peer',
      iceServers: [
        {
          urls: ['turn:turn.example.com'],
          username: expect.stringMatching(/^\d+:vis_\w+\.patient$/),
        },
      ],
    })
    for (let n = 0; n < 20; n++) patient.say({ page: `p${n}`, candidate: { candidate: `c${n}` } })
    const signals = () => clinician.heard.filter(({ type }) => type === 'signal')
    await until(() => signals().length >= 20)
    expect(signals().map(({ data }) => (data as { page: string }).page)).toEqual(
      Array.from({ length: 20 }, (_, n) => `p${n}`),
    )
    await visit.move('completeClinicVisit')
    expect(await Promise.all([patient.closed, clinician.closed])).toEqual([
      roomCloses.ended.code,
      roomCloses.ended.code,
    ])
    const actions = async () => {
      const rows = await queryAsOwner<{ action: string }>(
        fixtures,
        sql`select action from audit.entries where target = ${visit.id} and surface = 'page'`,
      )
      return rows.map(({ action }) => action).toSorted()
    }
    await until(async () => (await actions()).length >= 4)
    expect(await actions()).toEqual([
      'enterRoomAsClinician',
      'enterRoomAsPatient',
      'leaveRoomAsClinician',
      'leaveRoomAsPatient',
    ])
    expect(JSON.stringify(gateways.map(({ lines }) => lines))).not.toContain(
      visit.patient.slice(0, 30),
    )
  })

  test.each(['missClinicVisit', 'cancelClinicVisit'] as const)(
    '%s closes it for both',
    async operation => {
      const visit = await visitNow()
      // A no-show is recorded 15 minutes after the start, and a visit can be canceled before its
      // start.
      if (operation === 'missClinicVisit') {
        await queryAsOwner(
          fixtures,
          sql`update live.visits set starts_at = now() - interval '16 minutes' where id = ${visit.id}`,
        )
      }
      const pages = [enter(visit.patient, 0), enter(visit.clinician, 1)]
      await Promise.all(pages.map(page => page.has('welcome')))
      await visit.move(operation)
      const { code } = roomCloses.ended
      expect(await Promise.all(pages.map(page => page.closed))).toEqual([code, code])
    },
  )

  test('has one page per seat: a newer page replaces it, even at another gateway', async () => {
    const visit = await visitNow()
    const first = enter(visit.patient, 0)
    await first.has('welcome')
    const second = enter(visit.patient, 1)
    expect(await first.closed).toBe(roomCloses.replaced.code)
    await second.has('state')
    expect(second.socket.readyState).toBe(WebSocket.OPEN)
    second.socket.close()
  })

  test('notices within five seconds when a person closes the page', async () => {
    const visit = await visitNow()
    const [patient, clinician] = [enter(visit.patient, 0), enter(visit.clinician, 1)]
    const other = () => clinician.find('state')?.['other']
    await until(() => other() === 'here')
    patient.socket.close(1001)
    await until(() => other() === 'left')
  }, 5000)

  test('a page comes back with its ticket, even to another gateway', async () => {
    const visit = await visitNow()
    const page = enter(visit.patient)
    await page.has('welcome')
    page.socket.close()
    const back = enter(visit.patient, 1)
    await back.has('state')
    back.socket.close()
    await back.closed
    const as = fixtures.ada.live
    const { status, created_at: since } = await invokeOk(fixtures, 'getVisit', { as, id: visit.id })
    expect(status).toBe('scheduled')
    const { data } = await invokeOk(fixtures, 'listEvents', { as, query: { since } })
    const ofVisit = data.filter((one: { resource: { id: string } }) => one.resource.id === visit.id)
    expect(ofVisit).toMatchObject([{ type: 'visit.booked.v1' }])
  })

  test('an abandoned seat is removed by the worker after two minutes', async () => {
    const visit = await visitNow()
    const page = enter(visit.patient)
    await page.has('state')
    const seats = async () =>
      (await queryAsOwner(fixtures, sql`select from live.room_seats where visit = ${visit.id}`))
        .length
    await emptySeatsJob.run(fixtures.workerContext, ['live'], () => null)
    expect(await seats()).toBe(1)
    page.socket.close()
    await until(async () => (await seats()) === 0)
    await queryAsOwner(
      fixtures,
      sql`insert into live.room_seats (tenant, visit, seat, connection, seen_at)
          select tenant, id, 'patient', 'gone', now() - interval '3 minutes' from live.visits
           where id = ${visit.id}`,
    )
    await emptySeatsJob.run(fixtures.workerContext, ['live'], () => null)
    expect(await seats()).toBe(0)
  })
})

describe('refused', () => {
  test('a ticket for another purpose, from a sandbox, changed or missing, and another site’s page', async () => {
    const visit = await visitNow()
    const { tokens } = fixtures.context.files
    const ticket = {
      kind: 'room',
      mode: 'test',
      tenant: '1',
      visit: visit.id,
      patient: 'pat_x',
      seat: 'patient',
      browser: visitor.digest,
    } as const
    const expires = Date.now() + 60_000
    const bad = [
      tokens.encrypt({ ...ticket, expires }),
      tokens.encrypt({ ...ticket, mode: 'live', expires: Date.now() - 1 }),
      tokens.encrypt({ kind: 'upload', mode: 'live', tenant: '1', object: 'x' }),
      visit.patient.replace(/.{2}$/, last => (last === 'AA' ? 'BB' : 'AA')),
      'none',
    ]
    for (const each of bad) {
      const page = enter(each)
      await page.closed
      expect([page.isOpened(), page.heard]).toEqual([false, []])
    }
    const foreign = enter(visit.patient, 0, { origin: 'https://attacker.example' })
    await foreign.closed
    expect(foreign.isOpened()).toBe(false)
  })

  test('the link’s own ticket, and a ticket from a page in another browser or another site’s page', async () => {
    const visit = await visitNow()
    const as = fixtures.ada.live
    const { url } = await invokeOk(fixtures, 'getJoinLink', { as, id: visit.id })
    const other = roomCookieOf(visitCookie(base).newVisitor())
    const refused = [
      enter(linkTicketOf(url)),
      enter(visit.patient, 0, { cookie: '' }),
      enter(visit.patient, 0, { cookie: other }),
      enter(visit.patient, 0, { 'sec-fetch-site': 'same-site', origin: base }),
    ]
    for (const page of refused) {
      await page.closed
      expect([page.isOpened(), page.heard]).toEqual([false, []])
    }
    const own = enter(visit.patient, 0, { cookie: `other=1; ${roomCookieOf(visitor)}` })
    await own.has('welcome')
    own.socket.close()
  })

  test('another visit’s patient can’t enter with a ticket', async () => {
    const [one, other] = [await visitNow(), await visitNow()]
    const { tokens } = fixtures.context.files
    const opened = tokens.open(one.patient)
    if (opened?.kind !== 'room') throw new Error('a page has a ticket of its room')
    const mixed = enter(tokens.encrypt({ ...opened, visit: other.id }))
    expect(await mixed.closed).toBe(roomCloses.ended.code)
  })

  test.each([
    ['no JSON', 'hello'],
    ['an array', '[]'],
    ['without a page', '{"description":{}}'],
    ['a long page', JSON.stringify({ page: 'x'.repeat(41) })],
  ])('%s closes the connection', async (_, text) => {
    const visit = await visitNow()
    const page = enter(visit.patient)
    await page.has('welcome')
    page.say(text)
    expect(await page.closed).toBe(roomCloses.unreadable.code)
  })

  test('more than three hundred messages in a minute close it', async () => {
    const visit = await visitNow()
    const page = enter(visit.patient)
    await page.has('welcome')
    for (let n = 0; n <= 300; n++) page.say({ page: 'x' })
    expect(await page.closed).toBe(roomCloses.tooFast.code)
  })
})

test('nothing failed', () => {
  expect(gateways.flatMap(({ events }) => events)).toEqual([])
})
