// The page of a join link, and the error pages of invalid links: plain HTML without scripts, fonts
// or other files. It shows nothing about the patient, because a link can be forwarded.

import type { Seat } from '../files/tokens.ts'
import { roomPart, roomStyle, scriptHash } from '../rooms/room-part.ts'
import type { VisitStatus } from './visit.ts'

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
  /** When the link expires. */
  linkUntil: number
  now: number
  /** Whether it has no video. */
  dryRun: boolean
  seat: Seat
}

const style = `
:root{--paper:#fbfaf6;--raised:#fff;--ink:#1b1f1a;--quiet:#5c6459;--hairline:#dedcd2;--line:#8b9186;
--brand:#1f5b41;--brand-quiet:#e4efe7;--on-brand:#fff;--signal:#b4570f;color-scheme:light dark}
@media screen and (prefers-color-scheme:dark){:root{--paper:#12150f;--raised:#1a1e17;--ink:#ecede6;
--quiet:#a3aa9d;--hairline:#2e342b;--line:#737b6d;--brand:#7cc49b;--brand-quiet:#1f3428;
--on-brand:#0f1d15;--signal:#f0a35e}}
*{box-sizing:border-box;margin:0}
body{background:var(--paper);color:var(--ink);font:1rem/1.6 Inter,system-ui,sans-serif;
min-height:100vh;display:flex;flex-direction:column;font-variant-numeric:tabular-nums}
header,main,footer{width:100%;max-width:42rem;margin:0 auto;padding:1.5rem}
header{font-weight:600;color:var(--brand)}
main{flex:1;padding-top:1rem}
h1{font:500 clamp(1.9rem,7vw,2.75rem)/1.12 Newsreader,Georgia,serif;letter-spacing:-.012em;
text-wrap:balance}
p{max-width:60ch;text-wrap:pretty}
.lead{font-size:1.2rem;margin-top:.9rem}
dl{display:grid;grid-template-columns:auto 1fr;gap:.45rem 1.5rem;margin:2rem 0;padding:1.25rem 0;
border-block:1px solid var(--hairline)}
dt{color:var(--quiet)}
figure{margin:2rem 0}
svg{display:block;width:100%;max-width:30rem;height:auto;overflow:visible}
figcaption,.small,footer{color:var(--quiet);font-size:.875rem}
.note{border-left:3px solid var(--signal);background:var(--raised);padding:.9rem 1.1rem;margin:2rem 0}
.button{display:inline-block;background:var(--brand);color:var(--on-brand);text-decoration:none;
font-weight:600;padding:.7rem 1.2rem;border-radius:3px;margin:.4rem 0 1rem}
:focus-visible{outline:2px solid var(--brand);outline-offset:2px}
code{font:.875em 'JetBrains Mono',ui-monospace,monospace;overflow-wrap:anywhere}
footer p{border-top:1px solid var(--hairline);padding-top:1.25rem;max-width:none}
.axis{stroke:var(--line);stroke-width:2}.span{stroke:var(--brand);stroke-width:8}
.tick{stroke:var(--line)}.now{fill:var(--signal);stroke:var(--paper);stroke-width:2}
.label{fill:var(--ink);font-size:11px}.word{fill:var(--quiet);font-size:11px}
@media (max-width:30rem){.label,.word{font-size:14px}}
${roomStyle}`

const styleHash = `sha256-${new Bun.CryptoHasher('sha256').update(style).digest('base64')}`

/** What a page may load: its own style, and in a room its own script and socket. */
export const policyOf = (hasRoom: boolean): string =>
  `default-src 'none'; style-src '${styleHash}'; ` +
  (hasRoom ? `script-src '${scriptHash}'; connect-src 'self'; ` : '') +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const document = (title: string, clinic: string, main: string, foot: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<title>${Bun.escapeHTML(title)}</title>
<style>${style}</style>
</head>
<body>
<header>${Bun.escapeHTML(clinic)}</header>
<main>
${main}
</main>
<footer><p>${foot}</p></footer>
</body>
</html>
`

const emergency = 'In an emergency, do not wait for a visit: call 911.'

const minuteMilliseconds = 60_000

/** A duration in words, rounded up to a minute so that it is never zero. */
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

/** The same for the clinician of the visit. */
function clinicianText({ status, startsAt, now }: WaitingRoom): StatusText {
  if (status !== 'scheduled' && status !== 'started') {
    return { title: 'This visit is over.', lead: 'The console says how it ended.', again: false }
  }
  const lead =
    now < startsAt
      ? `It begins in ${durationText(startsAt - now)}.`
      : status === 'scheduled'
        ? 'It is time for the visit.'
        : 'The visit has begun.'
  return { title: 'Your video visit', lead, again: true }
}

/** The title and text for the visit's status; `again` when the page should be reloaded. */
function statusText(expected: WaitingRoom): StatusText {
  const { status, clinician, startsAt, now } = expected
  const who = clinician ?? 'Your clinician'
  switch (status) {
    case 'scheduled':
      return now < startsAt
        ? {
            title: 'You are in the right place.',
            lead: `Your video visit begins in ${durationText(startsAt - now)}. ${who} is expected then.`,
            again: true,
          }
        : {
            title: `${who} will be with you soon.`,
            lead: 'It is time for your video visit. Your clinician has not started it yet.',
            again: true,
          }
    case 'started':
      return {
        title: 'Your visit has begun.',
        lead: `${who} has started your video visit.`,
        again: true,
      }
    case 'completed':
      return { title: 'This visit is over.', lead: 'There is nothing left to join.', again: false }
    case 'cancelled':
      return {
        title: 'This visit was cancelled.',
        lead: 'To be seen at another time, book again where you booked this visit.',
        again: false,
      }
    case 'no_show':
      return {
        title: 'This visit was missed.',
        lead: 'To be seen at another time, book again where you booked this visit.',
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
  `<p class="note">Visit <code>${visit}</code> is a sandbox visit: it has no video, and
no clinician joins it. <code>POST /v1/test/visits/${visit}/start</code> starts it.</p>`

/** The waiting room of one visit. */
export function waitingRoomPage(expected: WaitingRoom): string {
  const { clinic, clinician, timeZone, startsAt, endsAt, linkUntil, dryRun, visit, seat } = expected
  const { title, lead, again } = seat === 'patient' ? statusText(expected) : clinicianText(expected)
  const { day, zone } = dayAndZone(expected)
  const clock = clockIn(timeZone)
  const minutes = Math.round((endsAt - startsAt) / minuteMilliseconds)
  const facts: [string, string][] = [
    ['With', Bun.escapeHTML(clinician ?? 'a clinician of the clinic')],
    ['On', `<time datetime="${new Date(startsAt).toISOString()}">${Bun.escapeHTML(day)}</time>`],
    ['At', `${clock.format(startsAt)}, ${Bun.escapeHTML(zone)}`],
    ['For', `${minutes} minutes`],
    ...(dryRun ? [] : [['Visit', `<code>${visit}</code>`] as [string, string]]),
  ]
  const main = [
    `<h1>${Bun.escapeHTML(title)}</h1>`,
    `<p class="lead">${Bun.escapeHTML(lead)}</p>`,
    `<dl>${facts.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('')}</dl>`,
    ...(again
      ? [
          ...(dryRun
            ? [timeLine(expected), '<p><a class="button" href="">Refresh</a></p>']
            : [roomPart(seat)]),
          `<p class="small">This link is valid until ${clock.format(linkUntil)} and is for you alone.
After that, open a new link where you found this one.</p>`,
        ]
      : []),
    ...(dryRun ? [sandboxNote(visit)] : []),
  ]
  return document(title, clinic, main.join('\n'), emergency)
}

export type DeadLink = 'expired' | 'unknown' | 'away'

const deadLinkTexts: Record<DeadLink, { title: string; lead: string }> = {
  expired: {
    title: 'This link has expired.',
    lead: 'A link to a visit is valid for 15 minutes. Go back to where you found it and open a new link. Your visit is not affected.',
  },
  unknown: {
    title: 'This link is not valid.',
    lead: 'It may have been cut off when it was copied. Go back to where you found it and open it from there.',
  },
  away: {
    title: 'The waiting room is not available right now.',
    lead: 'Your visit is not affected. Wait a moment and open the link again.',
  },
}

/** The page of a link that is not valid; it reveals nothing about a visit. */
export function deadLinkPage(why: DeadLink): string {
  const { title, lead } = deadLinkTexts[why]
  const main = `<h1>${Bun.escapeHTML(title)}</h1>\n<p class="lead">${Bun.escapeHTML(lead)}</p>`
  return document(title, 'Video visit', main, emergency)
}
