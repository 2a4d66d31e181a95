// A page leaves while the gateway takes its seat or collects its messages; a lock forces the
// timing.
import { expect, test } from 'bun:test'
import { dailyVideo } from './daily.ts'
import { embeddedVideo } from './provider.ts'
import { roomTicketOf } from './room.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { runIntoLock } from '../testing/races.ts'
import { sql } from '#database/sql.ts'
import { roomCloses } from './room-protocol.ts'
import { arrive, ask, close, depart, hear, newSlot, type RoomMessage } from './room-socket.ts'
import { useRoomVisits } from './testing/room-visits.ts'

const fixtures = useFixtures()
const { visitor, visitNow } = useRoomVisits(fixtures)

const context = () => {
  const { pools, files, now } = fixtures.context
  return { pools, files, now, video: embeddedVideo() }
}

/** Returns a page with this ticket, what it was sent and how it was closed. */
function pageOf(written: string, connection: string) {
  const ticket = roomTicketOf(context(), written, visitor)
  if (ticket === null) throw new Error('not a room ticket')
  const slot = newSlot(ticket, connection, {
    request: 'req_1',
    address: '203.0.113.9',
    agent: null,
  })
  const sent: RoomMessage[] = []
  const closed: number[] = []
  slot.send = message => void sent.push(message)
  slot.disconnect = ({ code }) => void closed.push(code)
  return { slot, sent, closed }
}

const seatsOf = (visit: string) =>
  queryAsOwner<{ connection: string }>(
    fixtures,
    sql`select connection from live.room_seats where visit = ${visit}`,
  )
const seatOf = (visit: string) => sql`select from live.room_seats where visit = ${visit} for update`

test('a page that left before its seat was taken doesn’t keep the seat', async () => {
  const visit = await visitNow()
  const first = pageOf(visit.patient, 'first')
  await arrive(context(), first.slot)
  const second = pageOf(visit.patient, 'second')
  await runIntoLock(fixtures, seatOf(visit.id), [
    () => arrive(context(), second.slot),
    () => depart(context(), second.slot, 'lost'),
  ])
  expect(await seatsOf(visit.id)).toEqual([])
  expect(second.sent).toEqual([])
})

test('a page closed while its messages are collected gets no more', async () => {
  const visit = await visitNow()
  const page = pageOf(visit.patient, 'page')
  await arrive(context(), page.slot)
  page.sent.length = 0
  const calls = [
    () => ask(context(), page.slot),
    () => ask(context(), page.slot),
    async () => close(page.slot, roomCloses.restarting),
  ]
  const message = sql`update live.room_seats set inbox = array['{}'] where visit = ${visit.id}`
  await runIntoLock(fixtures, seatOf(visit.id), calls, async owner => owner.run(message))
  expect([page.sent, page.closed]).toEqual([[], [roomCloses.restarting.code]])
})

/** Returns the other person's presence, as last sent to this page. */
async function presenceIn(page: ReturnType<typeof pageOf>) {
  await ask(context(), page.slot)
  return page.sent.findLast(one => one.type === 'state')?.other
}

test('a person who leaves counts as gone immediately, and the page is still notified when the visit ends', async () => {
  const visit = await visitNow()
  const [patient, clinician] = [pageOf(visit.patient, 'one'), pageOf(visit.clinician, 'two')]
  for (const { slot } of [patient, clinician]) await arrive(context(), slot)
  expect(await presenceIn(clinician)).toBe('here')
  await hear(context(), patient.slot, 'leave')
  expect(await presenceIn(clinician)).toBe('left')
  await visit.move('startClinicVisit')
  await visit.move('completeClinicVisit')
  await ask(context(), patient.slot)
  expect(patient.closed).toEqual([roomCloses.ended.code])
})

test('a page that loses its connection is away, but hasn’t left', async () => {
  const visit = await visitNow()
  const [patient, clinician] = [pageOf(visit.patient, 'one'), pageOf(visit.clinician, 'two')]
  for (const { slot } of [patient, clinician]) await arrive(context(), slot)
  await depart(context(), patient.slot, 'lost')
  expect(await presenceIn(clinician)).toBe('away')
  const back = pageOf(visit.patient, 'three')
  await arrive(context(), back.slot)
  expect(await presenceIn(clinician)).toBe('here')
})

test('a page reports the devices it has turned off; unknown fields are dropped', async () => {
  const visit = await visitNow()
  const [patient, clinician] = [pageOf(visit.patient, 'one'), pageOf(visit.clinician, 'two')]
  for (const { slot } of [patient, clinician]) await arrive(context(), slot)
  await visit.move('startClinicVisit')
  const note = { page: '', isNote: true, muted: { audio: true, video: false } }
  await hear(context(), patient.slot, JSON.stringify({ ...note, more: 'text' }))
  await ask(context(), clinician.slot)
  expect(clinician.sent.at(-1)).toEqual({ type: 'signal', data: note })
})

test('a signal sent before the visit starts is never relayed', async () => {
  const visit = await visitNow()
  const [patient, clinician] = [pageOf(visit.patient, 'one'), pageOf(visit.clinician, 'two')]
  for (const { slot } of [patient, clinician]) await arrive(context(), slot)
  for (const page of ['early', 'in time']) {
    await hear(context(), patient.slot, JSON.stringify({ page }))
    if (page === 'early') await visit.move('startClinicVisit')
  }
  await ask(context(), clinician.slot)
  const signals = clinician.sent.filter(({ type }) => type === 'signal')
  expect(signals).toEqual([{ type: 'signal', data: { page: 'in time' } }])
})

test('a visit rescheduled while its page is open ends by its new time', async () => {
  const visit = await visitNow()
  const page = pageOf(visit.patient, 'page')
  await arrive(context(), page.slot)
  const later = sql`interval '55 minutes'`
  const [moved] = await queryAsOwner<{ closes: number }>(
    fixtures,
    sql`update live.visits set starts_at = starts_at + ${later}, ends_at = ends_at + ${later}
         where id = ${visit.id}
        returning extract(epoch from ends_at + interval '30 minutes')::float8 as closes`,
  )
  await visit.move('startClinicVisit')
  const video = embeddedVideo({ urls: ['turn:turn.example.com'], secret: 'a secret' })
  const now = () => Date.now() + 90 * 60_000
  await ask({ ...context(), video, now }, page.slot)
  expect(page.closed).toEqual([])
  const username = `${Math.ceil(moved?.closes ?? 0)}:${visit.id}.patient`
  expect(page.sent).toContainEqual({
    type: 'open',
    entry: { kind: 'peer', iceServers: [expect.objectContaining({ username })] },
  })
})

test('the pages of a visit rescheduled to a time when its room isn’t open yet are closed', async () => {
  const visit = await visitNow()
  const pages = [pageOf(visit.patient, 'one'), pageOf(visit.clinician, 'two')]
  for (const { slot } of pages) await arrive(context(), slot)
  const later = sql`interval '1 day'`
  await queryAsOwner(
    fixtures,
    sql`update live.visits set starts_at = starts_at + ${later}, ends_at = ends_at + ${later}
         where id = ${visit.id}`,
  )
  for (const { slot } of pages) await ask(context(), slot)
  expect(pages.map(({ closed }) => closed)).toEqual([
    [roomCloses.ended.code],
    [roomCloses.ended.code],
  ])
})

test('a page turned away by a failing hosted service is let in once the service responds again', async () => {
  let isAway = true
  const service = Bun.serve({
    port: 0,
    fetch: ({ url }) =>
      isAway
        ? new Response('', { status: 503 })
        : Response.json(
            url.endsWith('/rooms') ? { url: 'https://video.example.com/a' } : { token },
          ),
  })
  const token = 'a token'
  const video = dailyVideo({ origin: service.url.origin, key: 'a key' })
  const visit = await visitNow()
  const page = pageOf(visit.patient, 'page')
  await arrive({ ...context(), video }, page.slot)
  await visit.move('startClinicVisit')
  const failure = await ask({ ...context(), video }, page.slot).catch(String)
  expect(failure).toContain('Daily responded with 503')
  isAway = false
  await ask({ ...context(), video }, page.slot)
  await service.stop(true)
  const url = 'https://video.example.com/a?t=a+token'
  expect(page.sent.at(-1)).toEqual({ type: 'open', entry: { kind: 'page', url } })
})
