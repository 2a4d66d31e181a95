// Tests what a link's holder can see and change on a call or callback.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  testLinks,
  type BookingServices,
  by,
  createBookingServices,
  monday,
  newBuyer,
  taken,
} from './testing/booking-service.ts'

let { one, owner, free, book, mailOf, close } = {} as BookingServices
beforeAll(async () => {
  ;({ one, owner, free, book, mailOf, close } = await createBookingServices())
})
afterAll(() => close())

const service = () => one.bookingService
const newCall = async (at = 0) => taken(await book((await free(at)).start)).booking
const statusOf = async (id: string) => {
  const found = await service().find(id)
  return found?.kind === 'call' ? found.status : undefined
}
const rowOf = async (id: string) =>
  (await owner`select status, sequence, starts_at from site.bookings where id = ${id}`)[0]

/** Runs the work with the clock set to this moment. */
async function at<T>(moment: number, work: () => Promise<T>): Promise<T> {
  one.clock.now = moment
  try {
    return await work()
  } finally {
    one.clock.now = monday
  }
}

async function newCallback(buyer = newBuyer()): Promise<string> {
  const answer = await service().requestCallback({ buyer, via: by('a2a', 'Agent/3') })
  if (answer.kind !== 'requested') throw new Error(answer.kind)
  return answer.id
}

describe('booking: a call’s link', () => {
  test('returns the call’s time, person and source', async () => {
    const slot = await free(3)
    const { booking } = taken(await book(slot.start, newBuyer(), 'mcp'))
    expect(await service().find(booking.id)).toEqual({
      kind: 'call',
      id: booking.id,
      status: 'confirmed',
      slot,
      timeZone: 'America/New_York',
      sequence: 0,
      firstName: 'Ada',
      protocol: 'mcp',
      agent: 'tests/1',
      askedAt: '2027-03-08T13:30:00.000Z',
    })
    expect(await service().find('bkg_00000000000000000000000000')).toBeNull()
  })

  test.each(['.', ')', '>', ').', '”,'])(
    'a link followed by %p from its sentence still works',
    end => {
      const id = 'bkg_01kajzq0000000000000000000'
      const key = new URL(testLinks.call(id, 'email')).searchParams.get('key') ?? ''
      expect(testLinks.read(`${key}${end}`)).toEqual({ id, source: 'email' })
      expect(testLinks.read(`${key}${end}x`)).toBeNull()
    },
  )

  test('shows the call as confirmed until it ends, then as over', async () => {
    const { id, slot } = await newCall()
    const end = Date.parse(slot?.end ?? '')
    expect(await at(end - 1, () => statusOf(id))).toBe('confirmed')
    expect(await at(end, () => statusOf(id))).toBe('over')
  })

  test('shows a call without a time as requested for thirty days, then as over', async () => {
    const { id } = taken(await book(undefined)).booking
    const end = monday + 30 * 86_400_000
    expect(await at(end - 1, () => statusOf(id))).toBe('requested')
    expect(await at(end, () => statusOf(id))).toBe('over')
  })

  test('shows a canceled call as canceled', async () => {
    const { id } = await newCall()
    await service().cancel(id)
    expect(await statusOf(id)).toBe('cancelled')
  })
})

describe('booking: a callback’s link', () => {
  test('returns the callback’s source and whether the callback is erased', async () => {
    const [id, other] = [await newCallback(), await newCallback()]
    const callback = { kind: 'callback', protocol: 'a2a', agent: 'Agent/3' } as const
    const askedAt = '2027-03-08T13:30:00.000Z'
    for (const each of [id, other]) {
      const found = { ...callback, id: each, isErased: false, askedAt }
      // The end of the company's next working day.
      const replyBy = expect.stringMatching(/^2027-03-09T/)
      expect(await service().find(each)).toEqual({ ...found, replyBy })
    }
    await service().reportAbuse(id)
    expect(await service().find(id)).toMatchObject({ id, isErased: true })
    expect(await service().find(other)).toMatchObject({ id: other, isErased: false })
    const rows = await owner`select person from site.callbacks where id = ${other}`
    expect(rows[0].person).toStartWith('ada-')
    expect(await service().find('clb_00000000000000000000000000')).toBeNull()
  })
})

describe('booking: moving a call', () => {
  test('a move to a closed day, the past, too far ahead or no time is not offered', async () => {
    const { id } = await newCall()
    const before = await rowOf(id)
    for (const start of [
      '2027-03-10T15:00:00Z',
      '2027-03-08T13:00:00Z',
      '2027-05-10T14:00:00Z',
      'soon',
    ]) {
      expect([start, await service().move(id, start)]).toEqual([start, { kind: 'not_offered' }])
    }
    expect(await rowOf(id)).toEqual(before)
  })

  test('a move to a taken time is refused with the three nearest free ones, and changes nothing', async () => {
    const slots = await service().availability({ from: '2027-03-23', days: 1 })
    const wanted = slots[4]?.start ?? ''
    taken(await book(wanted))
    const { id } = taken(await book(slots[8]?.start)).booking
    const before = await rowOf(id)
    const answer = await service().move(id, wanted)
    expect(answer).toEqual({
      kind: 'slot_taken',
      alternatives: [slots[3], slots[5], slots[2]].filter(slot => slot !== undefined),
    })
    expect(await rowOf(id)).toEqual(before)
    expect(await mailOf(id)).toHaveLength(2)
  })

  test('a past or unknown call counts as closed, and canceling it changes nothing', async () => {
    const { id, slot } = await newCall()
    const to = (await free(9)).start
    await at(Date.parse(slot?.end ?? ''), async () => {
      expect(await service().move(id, to)).toEqual({ kind: 'closed' })
      await service().cancel(id)
    })
    expect(await rowOf(id)).toMatchObject({ status: 'confirmed', sequence: 0 })
    expect(await mailOf(id)).toHaveLength(2)
    expect(await service().move('bkg_00000000000000000000000000', to)).toEqual({ kind: 'closed' })
    await service().cancel('bkg_00000000000000000000000000')
  })
})

describe('booking: a call that is over', () => {
  test('is closed when its person books again; other calls stay open', async () => {
    const buyer = newBuyer()
    const other = await newCall(30)
    const slot = await free()
    const { id } = taken(await book(slot.start, buyer)).booking
    await at(Date.parse(slot.end), async () => taken(await book((await free(1)).start, buyer)))
    expect(await rowOf(id)).toMatchObject({ status: 'held' })
    expect(await rowOf(other.id)).toMatchObject({ status: 'confirmed' })
  })

  test('still counts as completed after its person reports it', async () => {
    const buyer = newBuyer()
    const slot = await free()
    const { id } = taken(await book(slot.start, buyer)).booking
    await at(Date.parse(slot.end), async () => {
      const next = taken(await book((await free(2)).start, buyer)).booking
      await service().reportAbuse(id)
      expect(await statusOf(next.id)).toBe('confirmed')
    })
    const [row] = await owner`select status, email from site.bookings where id = ${id}`
    expect(row).toEqual({ status: 'held', email: null })
  })
})
