// Video rooms while a dependency doesn't respond.
import { expect, test } from 'bun:test'
import type { RoomEntry, VideoProvider } from '#clinical/rooms/provider.ts'
import { roomCloses } from '#clinical/rooms/room-protocol.ts'
import { useRoomVisits } from '#clinical/rooms/testing/room-visits.ts'
import { useFixtures } from '#clinical/testing/fixtures.ts'
import { until } from '#http/testing/until.ts'
import { enterRoom, openRoomGateway } from '../testing/room-gateway.ts'

const fixtures = useFixtures()
const { visitor, visitNow } = useRoomVisits(fixtures)

/** A port that accepts connections and never responds. */
const silentPort = () =>
  Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {}, error() {} } })

test('a page gets in and hears of its visit while notifications can’t be had', async () => {
  using database = silentPort()
  const url = new URL(fixtures.database.urls.live)
  url.host = `127.0.0.1:${database.port}`
  const gateway = openRoomGateway(fixtures, { url: url.href })
  const visit = await visitNow()
  const page = enterRoom(gateway, visit.patient, visitor)
  await page.has('state')
  await visit.move('startClinicVisit')
  await page.has('open')
  await visit.move('completeClinicVisit')
  expect(await page.closed).toBe(roomCloses.ended.code)
  database.stop(true)
  await gateway.close()
})

test('a room that the hosted service is slow to open delays no other room', async () => {
  const opened = Promise.withResolvers<RoomEntry>()
  const asked: string[] = []
  const video: VideoProvider = {
    name: 'daily',
    entryFor: ({ visit }) => (asked.push(visit), opened.promise),
    end: async () => {},
  }
  const gateway = openRoomGateway(fixtures, { video })
  const [slow, other] = [await visitNow(), await visitNow()]
  const waiting = enterRoom(gateway, slow.patient, visitor)
  await waiting.has('state')
  await slow.move('startClinicVisit')
  await until(() => asked.length >= 1)
  const page = enterRoom(gateway, other.patient, visitor)
  await page.has('state')
  await other.move('cancelClinicVisit')
  expect(await page.closed).toBe(roomCloses.ended.code)
  expect([waiting.find('open'), asked]).toEqual([undefined, [slow.id]])
  opened.resolve({ kind: 'page', url: 'https://video.example.com/a' })
  await waiting.has('open')
  await gateway.close()
})
