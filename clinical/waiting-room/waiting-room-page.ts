// A visit's page: its waiting room, and in live mode the room itself. It doesn't name the patient.

import { limits } from '#contract/limits.ts'
import { minuteMilliseconds } from '#contract/moments.ts'
import type { Seat } from '../tokens.ts'
import { isPostponed } from '../rooms/room.ts'
import { roomPart } from '../rooms/room-part.ts'
import { emergency, htmlDocument } from './visit-document.ts'
import type { VisitStatus } from '../visits/visit.ts'

type WaitingRoom = {
  visit: string
  status: VisitStatus
  clinic: string
  clinician: string | null
  timeZone: string
  startsAt: number
  endsAt: number
  opensAt: number
  closesAt: number
  now: number
  seat: Seat
  /** The ticket the page uses to enter the room; null if there's no video. */
  roomTicket: string | null
}

/** A duration in words, rounded up to a minute so it's never zero. */
function durationText(milliseconds: number): string {
  const minutes = Math.max(1, Math.ceil(milliseconds / minuteMilliseconds))
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}

const clockIn = (timeZone: string) =>
  new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: '2-digit' })

/** The visit's local date and the name of its time zone on that day. */
function dayAndZone({ timeZone, startsAt }: WaitingRoom) {
  const day = { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' } as const
  const zone = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'long' })
    .formatToParts(startsAt)
    .find(part => part.type === 'timeZoneName')
  return {
    day: new Intl.DateTimeFormat('en-US', { timeZone, ...day }).format(startsAt),
    zone: zone?.value ?? timeZone,
  }
}

type StatusText = { title: string; lead: string; again: boolean }

/** The title and text for the visit's status, as its clinician sees them. */
function clinicianText(expected: WaitingRoom): StatusText {
  const { status, startsAt, opensAt, closesAt, now } = expected
  if (isPostponed(status, opensAt, now)) {
    return { title: 'Visit rescheduled', lead: `It now starts ${startOf(expected)}.`, again: false }
  }
  if (status !== 'scheduled' && status !== 'started') {
    return { title: 'Visit over', lead: 'Your camera and microphone are off.', again: false }
  }
  if (now > closesAt) {
    const lead = `Rooms close ${limits.joinClosesMinutesAfter} minutes after the visit’s planned end.`
    return { title: 'Video room closed', lead, again: false }
  }
  const lead =
    now < startsAt
      ? `Starts ${beginningOf(expected)}.`
      : status === 'scheduled'
        ? 'It’s time for the visit.'
        : 'The visit has started.'
  return { title: 'Your video visit', lead, again: true }
}

/** The start's time, with its day unless that's today. */
function startOf(expected: WaitingRoom): string {
  const { timeZone, startsAt, now } = expected
  const { day } = dayAndZone(expected)
  const time = `at ${clockIn(timeZone).format(startsAt)}`
  return day === dayAndZone({ ...expected, startsAt: now }).day ? time : `on ${day} ${time}`
}

/** A room's page stays open, so it shows the start time instead of the remaining wait. */
const beginningOf = (expected: WaitingRoom) =>
  expected.roomTicket === null
    ? `in ${durationText(expected.startsAt - expected.now)}`
    : startOf(expected)

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The title and text for the visit's status; `again` when the page should be reloaded. */
function statusText(expected: WaitingRoom): StatusText {
  const { status, clinician, startsAt, opensAt, now } = expected
  if (isPostponed(status, opensAt, now)) {
    return {
      title: 'This visit was rescheduled',
      lead: `The new time is below. You can join up to ${limits.joinOpensMinutesBefore} minutes early: open a new link from where you found this one.`,
      again: false,
    }
  }
  const who = clinician ?? 'your clinician'
  switch (status) {
    case 'scheduled':
      return now < startsAt
        ? {
            title: 'You’re in the right place',
            lead: `Your video visit with ${who} starts ${beginningOf(expected)}.`,
            again: true,
          }
        : {
            title: `${capitalized(who)} will be with you soon`,
            lead: 'It’s time for your video visit. Your clinician hasn’t started it yet.',
            again: true,
          }
    case 'started':
      return {
        title: 'Your visit has started',
        lead: `${capitalized(who)} is ready for you.`,
        again: true,
      }
    case 'completed':
      return { title: 'Your visit is over', lead: 'You can close this page.', again: false }
    case 'cancelled':
      return {
        title: 'This visit was canceled',
        lead: 'To choose another time, book again where you booked this visit.',
        again: false,
      }
    case 'no_show':
      return {
        title: 'You missed this visit',
        lead: 'To choose another time, book again where you booked this visit.',
        again: false,
      }
  }
}

/** A timeline of the visit as SVG. */
function timeLine(expected: WaitingRoom): string {
  const { opensAt, startsAt, endsAt, closesAt, now, timeZone } = expected
  const x = (moment: number) =>
    Math.round(20 + (320 * (moment - opensAt)) / Math.max(1, closesAt - opensAt))
  const clock = clockIn(timeZone)
  const time = (moment: number) => clock.format(moment).replace(/\s?[AP]M$/, '')
  const ticks: [number, string][] = [
    [opensAt, 'opens'],
    [startsAt, 'begins'],
    [endsAt, 'ends'],
    [closesAt, 'closes'],
  ]
  const marks = ticks.map(
    ([moment, word]) =>
      `<line class="tick" x1="${x(moment)}" y1="24" x2="${x(moment)}" y2="36"/>` +
      `<text class="label" x="${x(moment)}" y="52" text-anchor="middle">${time(moment)}</text>` +
      `<text class="word" x="${x(moment)}" y="66" text-anchor="middle">${word}</text>`,
  )
  const here = x(Math.min(Math.max(now, opensAt), closesAt))
  const label = ticks.map(([moment, word]) => `${word} ${clock.format(moment)}`).join(', ')
  return (
    `<figure><svg viewBox="0 0 360 72" role="img" aria-label="${Bun.escapeHTML(label)}">` +
    `<line class="axis" x1="20" y1="30" x2="340" y2="30"/>` +
    `<line class="span" x1="${x(startsAt)}" y1="30" x2="${x(endsAt)}" y2="30"/>${marks.join('')}` +
    `<circle class="now" cx="${here}" cy="30" r="6"/>` +
    `<text class="word" x="${here}" y="14" text-anchor="middle">now ${time(now)}</text></svg></figure>`
  )
}

const sandboxNote = (visit: string) =>
  `<p class="note">Visit <code>${visit}</code> is a sandbox visit, without video or a
clinician. Start it with <code>POST /v1/test/visits/${visit}/start</code>.</p>`

export function waitingRoomPage(expected: WaitingRoom): string {
  const { clinic, clinician, timeZone, startsAt, endsAt, closesAt, visit, seat, roomTicket } =
    expected
  const { title, lead, again } = seat === 'patient' ? statusText(expected) : clinicianText(expected)
  const { day, zone } = dayAndZone(expected)
  const clock = clockIn(timeZone)
  const minutes = Math.round((endsAt - startsAt) / minuteMilliseconds)
  const facts: [string, string][] = [
    ['With', Bun.escapeHTML(clinician ?? 'A clinician')],
    ['Date', `<time datetime="${new Date(startsAt).toISOString()}">${Bun.escapeHTML(day)}</time>`],
    ['Time', `${clock.format(startsAt)}, ${Bun.escapeHTML(zone)}`],
    ['Length', `${minutes} minutes`],
  ]
  const main = [
    `<h1>${Bun.escapeHTML(title)}</h1>`,
    `<p class="lead">${Bun.escapeHTML(lead)}</p>`,
    seat === 'clinician'
      ? ''
      : `<dl>${facts.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('')}</dl>`,
    ...(again
      ? [
          ...(roomTicket === null
            ? [timeLine(expected), '<p><a class="button" href="">Refresh</a></p>']
            : [roomPart(seat, roomTicket)]),
          `<p class="small">This page works in this browser until ${clock.format(closesAt)}. To switch
browsers, open a new link from where you found this one.</p>`,
          ...(roomTicket === null ? [] : [`<p class="small">Visit <code>${visit}</code></p>`]),
        ]
      : []),
    ...(roomTicket === null ? [sandboxNote(visit)] : []),
  ]
  return htmlDocument(title, clinic, main.join('\n'), seat === 'clinician' ? null : emergency)
}
