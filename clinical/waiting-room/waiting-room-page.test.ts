import { expect, test } from 'bun:test'
import { waitingRoomPage } from './waiting-room-page.ts'

const minutes = 60_000
const startsAt = Date.parse('2027-03-08T05:15:00Z')

/** The title, text and room of the page, this long after the visit's start at 12:15 AM. */
function pageAt(after: number, seat: 'patient' | 'clinician') {
  const page = waitingRoomPage({
    visit: 'vis_1',
    status: 'scheduled',
    clinic: 'Harbor',
    clinician: 'Ada Rivera, MD',
    timeZone: 'America/New_York',
    startsAt,
    endsAt: startsAt + 30 * minutes,
    opensAt: startsAt - 60 * minutes,
    closesAt: startsAt + 60 * minutes,
    now: startsAt + after * minutes,
    seat,
    roomTicket: 'ticket',
  })
  const [, title, lead] = /<h1>(.*)<\/h1>\n<p class="lead">(.*)<\/p>/.exec(page) ?? []
  return [title, lead?.replaceAll('\u202f', ' '), page.includes('id="room"')]
}

test('waiting room: names the day unless the visit starts today', () => {
  const text = 'Your video visit with Ada Rivera, MD starts'
  const title = 'You’re in the right place'
  expect(pageAt(-30, 'patient')).toEqual([
    title,
    `${text} on Monday, March 8, 2027 at 12:15 AM.`,
    true,
  ])
  expect(pageAt(-5, 'patient')).toEqual([title, `${text} at 12:15 AM.`, true])
})

test('waiting room: has no room before it opens or after it closes', () => {
  expect(pageAt(-61, 'patient')).toEqual([
    'This visit was rescheduled',
    expect.stringContaining('join up to 60 minutes early'),
    false,
  ])
  expect(pageAt(-61, 'clinician')).toEqual([
    'Visit rescheduled',
    'It now starts on Monday, March 8, 2027 at 12:15 AM.',
    false,
  ])
  expect(pageAt(61, 'clinician')).toEqual([
    'Video room closed',
    'Rooms close 30 minutes after the visit’s planned end.',
    false,
  ])
})
