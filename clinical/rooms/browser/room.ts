// A video room page's script: its status texts, and its connection to the gateway. It's part of the
// page, together with media.ts and peer.ts, and imports nothing.

type Presence = 'here' | 'away' | 'left'
type Entry = { kind: 'peer'; iceServers: RTCIceServer[] } | { kind: 'page'; url: string }
type ServerMessage =
  | { type: 'welcome'; seat: 'patient' | 'clinician' }
  | { type: 'state'; status: string; other: Presence; elapsed: number | null }
  | { type: 'open'; entry: Entry }
  | { type: 'signal'; data: Signal }

const root = document.querySelector<HTMLElement>('#room')
const part = <T extends HTMLElement>(id: string) => document.querySelector<T>(`#room-${id}`)
const [statusPart, trouble, theirs, mine] = [
  part('status'),
  part('trouble'),
  part<HTMLVideoElement>('theirs'),
  part<HTMLVideoElement>('mine'),
]
const [timer, theirMuted, myMuted] = [part('time'), part('their-muted'), part('my-muted')]
const [on, voice, controls, link, again] = [
  part<HTMLButtonElement>('on'),
  part('voice'),
  part('controls'),
  part<HTMLAnchorElement>('link'),
  part<HTMLAnchorElement>('again'),
]

let ticket = root?.dataset['ticket'] ?? ''
let seat: 'patient' | 'clinician' = 'patient'
let visit: { status: string; other: Presence } = { status: '', other: 'away' }
/** When the visit started, by this page's clock; null if it hasn't. */
let beganAt: number | null = null
let entry: Entry | null = null
let socket: WebSocket | null = null
/** The number of consecutive failed connections to the gateway. */
let failures = 0
let isOver = false
/** Whether the person left; they may come back. */
let isLeft = false

function hide(...hidden: (HTMLElement | null)[]): void {
  for (const one of hidden) if (one !== null) one.hidden = true
}

/** Whether the focus is in one of these, and would be lost with it. */
const hasFocus = (...hidden: (HTMLElement | null)[]): boolean =>
  hidden.some(one => one?.contains(document.activeElement) === true)

function say(text: string): void {
  if (statusPart !== null && statusPart.textContent !== text) statusPart.textContent = text
}

// Status texts ------------------------------------------------------------------------------------

const lost = 'Connection lost. Reconnecting…'
const states: Partial<Record<RTCPeerConnectionState, string>> = {
  connected: 'You’re connected.',
  disconnected: lost,
  failed: lost,
}

/** Returns the status shown until the visit starts. */
const waiting = () =>
  seat === 'patient'
    ? 'You’re in the waiting room. Keep this page open; your clinician will let you in.'
    : visit.other === 'here'
      ? 'The patient is waiting. Start the visit to let them in.'
      : visit.other === 'left'
        ? 'The patient left the waiting room.'
        : 'The patient isn’t here yet.'

function stateText(): string {
  const them = seat === 'patient' ? 'Your clinician' : 'The patient'
  const connection = states[peer?.connectionState ?? 'new']
  if (visit.status === 'started' && connection !== undefined && media !== null) return connection
  if (failures > 0) return lost
  if (visit.status !== 'started') return waiting()
  if (entry?.kind === 'page') return 'The visit has started. Open it below.'
  if (media === null) return 'The visit has started. Turn on your camera and microphone to join.'
  if (visit.other === 'left') return `${them} left the visit.`
  return visit.other === 'here' ? 'Connecting…' : `${them} isn’t here right now.`
}

function sayState(): void {
  if (!isOver) say(stateText())
}

function showHeadline(headline: string): void {
  const title = document.querySelector('h1')
  if (title !== null) title.textContent = headline
  document.title = headline
}

/** Replaces what the page said while the patient was waiting. */
function showStarted(): void {
  const headline = 'Your visit has started'
  if (document.title === headline) return
  showHeadline(headline)
  document.querySelector('.lead')?.remove()
}

/** Keeps the screen on: a phone that locks disconnects the page. Browsers release the lock when the
 *  page is hidden. */
let awake = Promise.resolve<WakeLockSentinel | undefined>(undefined)
function stayAwake(): void {
  awake = awake
    .then(held =>
      isOver || held?.released === false ? held : navigator.wakeLock.request('screen'),
    )
    .catch(() => undefined)
}

/** The visit's duration so far, such as 7:05. */
function showTime(): void {
  if (timer === null || beganAt === null) return
  const seconds = Math.max(0, Math.floor((performance.now() - beganAt) / 1000))
  timer.hidden = isOver
  timer.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

// The gateway -------------------------------------------------------------------------------------

/** Messages are handled one after another, in the order they were sent. A connection isn't closed
 *  while it's being described, because browsers then never finish describing it. */
let hearing: Promise<unknown> = Promise.resolve()
function hear(work: () => unknown): void {
  hearing = hearing.then(work).catch((failure: unknown) => console.error(failure))
}

function endCall(): void {
  closePeer()
  sayState()
}

function receive(message: ServerMessage): void {
  if (message.type === 'welcome') {
    seat = message.seat
    failures = 0
    stayAwake()
  } else if (message.type === 'state') {
    const returned = message.other === 'here' && visit.other !== 'here'
    visit = message
    beganAt = message.elapsed === null ? null : performance.now() - message.elapsed
    showTime()
    if (visit.status === 'started' && seat === 'patient' && !isOver) showStarted()
    if (visit.other === 'left') hear(endCall)
    if (returned && peer?.connectionState !== 'connected') begin()
  } else if (message.type === 'open') {
    entry = message.entry
    if (entry.kind === 'page') openElsewhere(entry.url)
    if (peer?.connectionState !== 'connected') begin()
  } else {
    const { data } = message
    hear(() => hearSignal(data))
  }
  sayState()
}

/** The visit takes place on a hosted service's page, which needs the devices. */
function openElsewhere(url: string): void {
  stopTracks(media)
  media = null
  showTrouble(null)
  const wasFocused = hasFocus(on, voice, controls)
  root?.classList.remove('is-on')
  hide(on, voice, controls)
  if (link === null) return
  link.href = url
  link.hidden = isOver
  if (wasFocused) link.focus()
}

type Finish = {
  headline: string
  text: string
  /** The reload link's label, or null if there's none. */
  back: string | null
}

function finish({ headline, text, back }: Finish): void {
  isOver = true
  closePeer()
  stopTracks(media)
  showTrouble(null)
  showTime()
  void awake.then(held => held?.release())
  const wasFocused = hasFocus(root)
  root?.classList.add('is-over')
  hide(on, voice, link)
  if (again !== null) {
    again.hidden = back === null
    again.textContent = back
    if (wasFocused) again.focus()
  }
  showHeadline(headline)
  say(text)
}

/** Reloads the page, which then shows how the visit ended. */
function end(): void {
  isLeft = false
  finish({ headline: 'Visit over', text: 'This visit is over.', back: null })
  location.reload()
}

const moved: Finish = {
  headline: 'This visit is open in another window',
  text: 'Continue there, or bring the visit here.',
  back: 'Continue here',
}

function connect(): void {
  // The visit may have ended on this page since the last connection was lost.
  if (isOver) return
  const address = new URL('/visits/room', location.href)
  address.protocol = address.protocol.replace('http', 'ws')
  const opened = new WebSocket(address, ['video.v1', ticket])
  socket = opened
  opened.addEventListener('message', ({ data }) => receive(JSON.parse(String(data))))
  opened.addEventListener('close', ({ code }) => {
    if (code === 4002 && (isLeft || !isOver)) return end()
    if (isOver) return
    if (code === 4001) return finish(moved)
    setTimeout(connect, Math.min(500 * 2 ** failures++, 8000))
    sayState()
    if (failures % 3 === 0) void endWithoutRoom()
  })
}

/** Whether the visit's page no longer has a room; false while that can't be determined. */
async function isRoomGone(): Promise<boolean> {
  try {
    const answer = await fetch(location.href)
    const isAnswered = answer.status < 500 && answer.status !== 429
    const text = await answer.text()
    // A rescheduled visit's ticket expires later than this page's.
    ticket = / data-ticket="([\w-]+)"/.exec(text)?.[1] ?? ticket
    return isAnswered && !text.includes(' id="room"')
  } catch {
    return false
  }
}

/** The visit may have ended, or the ticket expired, while there was no connection. */
async function endWithoutRoom(): Promise<void> {
  if ((await isRoomGone()) && !isOver) end()
}

/** Stays connected, so the page stops offering a way back once the visit is over. */
function leave(): void {
  isLeft = true
  if (socket?.readyState === WebSocket.OPEN) socket.send('leave')
  else socket?.close(1000)
  finish({
    headline: 'You left the visit',
    text: 'You can come back while the visit is open.',
    back: 'Rejoin',
  })
}

on?.addEventListener('click', () => void turnOn())
voice?.addEventListener('click', () => void turnOn(true))
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') stayAwake()
})
if (on !== null) on.disabled = false
part('leave')?.addEventListener('click', leave)
for (const kind of ['audio', 'video'] as const) {
  const button = part<HTMLButtonElement>(`${kind}-off`)
  button?.addEventListener('click', () => toggle(kind, button))
  part<HTMLSelectElement>(kind)?.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement) void useDevice(kind, target.value)
  })
}
setInterval(showTime, 1000)
if (root !== null) connect()
