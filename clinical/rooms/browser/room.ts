// The script of a page in a video room: its connection to the gateway and to the other browser.
// It is a part of the page, together with media.ts, and imports nothing.

type Signal = {
  /** The connection that it belongs to; each that the clinician opens has another name. */
  page: string
  isReply?: boolean
  description?: RTCSessionDescription
  candidate?: RTCIceCandidateInit | null
}
type Entry = { kind: 'peer'; iceServers: RTCIceServer[] } | { kind: 'page'; url: string }
type Sent =
  | { type: 'welcome'; seat: 'patient' | 'clinician' }
  | { type: 'state'; status: string; other: boolean }
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
const [on, controls, link, again] = [
  part<HTMLButtonElement>('on'),
  part('controls'),
  part<HTMLAnchorElement>('link'),
  part<HTMLAnchorElement>('again'),
]

let ticket = root?.dataset['ticket'] ?? ''
let seat: 'patient' | 'clinician' = 'patient'
let visit = { status: '', other: false }
let entry: Entry | null = null
let socket: WebSocket | null = null
/** How many connections to the gateway failed one after the other. */
let failures = 0
let isOver = false

function say(text: string): void {
  if (statusPart !== null && statusPart.textContent !== text) statusPart.textContent = text
}

// What is said ------------------------------------------------------------------------------------

const lost = 'The connection was lost. It is being made again.'
const states: Partial<Record<RTCPeerConnectionState, string>> = {
  connected: 'You are connected.',
  disconnected: lost,
  failed: lost,
}

function sayState(): void {
  if (isOver) return
  const connection = states[peer?.connectionState ?? 'new']
  if (visit.status === 'started' && connection !== undefined && media !== null)
    return say(connection)
  if (failures > 0) return say(lost)
  const [them, start] =
    seat === 'patient'
      ? [
          'Your clinician',
          'You are in the waiting room. Keep this page open: your clinician lets you in.',
        ]
      : [
          'The patient',
          visit.other
            ? 'The patient is waiting. Start the visit in the console to let them in.'
            : 'The patient is not here yet.',
        ]
  if (visit.status !== 'started') return say(start)
  if (entry?.kind === 'page') return say('The visit has begun. Open it below.')
  if (media === null)
    return say('The visit has begun. Turn on your camera and microphone to take part.')
  say(visit.other ? 'Connecting.' : `${them} is not here at the moment.`)
}

// The other browser -------------------------------------------------------------------------------
// The page of the clinician opens each connection, when that of the patient says it is ready.

let peer: RTCPeerConnection | null = null
let page = ''

const send = (signal: Omit<Signal, 'page'>) => {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ page, ...signal }))
}

/** Says that this page is ready, once it has its media and the visit has begun. */
function begin(): void {
  sayState()
  if (media !== null && entry?.kind === 'peer') send({})
}

function closePeer(): void {
  peer?.close()
  peer = null
  if (theirs !== null) theirs.srcObject = null
  root?.classList.remove('is-connected')
}

function openPeer(iceServers: RTCIceServer[], stream: MediaStream): RTCPeerConnection {
  closePeer()
  const made = new RTCPeerConnection({ iceServers })
  peer = made
  made.addEventListener('icecandidate', ({ candidate }) =>
    send({ candidate: candidate?.toJSON() ?? null }),
  )
  made.addEventListener('track', ({ streams: [first] }) => {
    if (theirs !== null && first !== undefined) theirs.srcObject = first
  })
  made.addEventListener('connectionstatechange', () => {
    root?.classList.toggle('is-connected', made.connectionState === 'connected')
    if (made.connectionState === 'failed') begin()
    sayState()
  })
  for (const track of stream.getTracks()) made.addTrack(track, stream)
  return made
}

async function call(iceServers: RTCIceServer[], stream: MediaStream): Promise<void> {
  page = crypto.randomUUID()
  const made = openPeer(iceServers, stream)
  // Without a camera of one's own the other one is still seen.
  if (stream.getVideoTracks().length === 0) made.addTransceiver('video', { direction: 'recvonly' })
  await describe(made)
}

async function describe(made: RTCPeerConnection): Promise<void> {
  await made.setLocalDescription()
  if (made.localDescription !== null) send({ description: made.localDescription })
}

async function hear(signal: Signal): Promise<void> {
  if (media === null || entry?.kind !== 'peer') return
  const { page: theirPage, isReply = false, description, candidate } = signal
  if (description === undefined && candidate === undefined) {
    if (seat === 'clinician') return call(entry.iceServers, media)
    return isReply ? undefined : send({ isReply: true })
  }
  if (description?.type === 'offer') {
    page = theirPage
    const made = openPeer(entry.iceServers, media)
    await made.setRemoteDescription(description)
    return describe(made)
  }
  // Of a connection that has been replaced.
  if (peer === null || theirPage !== page) return
  if (description !== undefined) return peer.setRemoteDescription(description)
  if (candidate !== undefined && candidate !== null) await peer.addIceCandidate(candidate)
}

// The gateway -------------------------------------------------------------------------------------

/** One after the other, as they were sent. */
let hearing = Promise.resolve()

function receive(message: Sent): void {
  if (message.type === 'welcome') {
    seat = message.seat
    failures = 0
  } else if (message.type === 'state') {
    const returned = message.other && !visit.other
    visit = message
    if (returned && peer?.connectionState !== 'connected') begin()
  } else if (message.type === 'open') {
    entry = message.entry
    if (entry.kind === 'page' && link !== null) {
      link.href = entry.url
      link.hidden = false
      if (on !== null) on.hidden = true
    }
    if (peer?.connectionState !== 'connected') begin()
  } else {
    const { data } = message
    hearing = hearing.then(() => hear(data)).catch((failure: unknown) => console.error(failure))
  }
  sayState()
}

/** `back`: what loads the page again. */
function finish(text: string, back: string | null): void {
  isOver = true
  closePeer()
  stopTracks(media)
  showTrouble(null)
  root?.classList.add('is-over')
  if (on !== null) on.hidden = true
  if (again !== null) {
    again.hidden = back === null
    again.textContent = back
  }
  say(text)
}

/** The page of the visit says how it ended. */
function end(): void {
  finish('The visit is over.', null)
  location.reload()
}

function connect(): void {
  // The page may be over since the last connection was lost.
  if (isOver) return
  const address = new URL('/visits/room', location.href)
  address.protocol = address.protocol.replace('http', 'ws')
  const opened = new WebSocket(address, ['video.v1', ticket])
  socket = opened
  opened.addEventListener('message', ({ data }) => receive(JSON.parse(String(data))))
  opened.addEventListener('close', ({ code }) => {
    if (isOver) return
    if (code === 4001) return finish('This visit is open in another window.', 'Continue here')
    if (code === 4002) return end()
    setTimeout(connect, Math.min(500 * 2 ** failures++, 8000))
    sayState()
    if (failures % 3 === 0) void endWithoutRoom()
  })
}

/** Whether the page of the visit has no room any more; false while it cannot be asked. */
async function isRoomGone(): Promise<boolean> {
  try {
    const answer = await fetch(location.href)
    const isAnswered = answer.status < 500 && answer.status !== 429
    const text = await answer.text()
    // The ticket of a visit that was moved ends later than that of this page.
    ticket = / data-ticket="([\w-]+)"/.exec(text)?.[1] ?? ticket
    return isAnswered && !text.includes(' id="room"')
  } catch {
    return false
  }
}

/** The visit may have ended, or the ticket, while there was no connection. */
async function endWithoutRoom(): Promise<void> {
  if ((await isRoomGone()) && !isOver) end()
}

function leave(): void {
  socket?.close(1000)
  finish('You have left the visit.', 'Come back')
}

on?.addEventListener('click', () => void turnOn())
if (on !== null) on.disabled = false
part('leave')?.addEventListener('click', leave)
for (const kind of ['audio', 'video'] as const) {
  const button = part<HTMLButtonElement>(`${kind}-off`)
  button?.addEventListener('click', () => toggle(kind, button))
  part<HTMLSelectElement>(kind)?.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement) void useDevice(kind, target.value)
  })
}
if (root !== null) connect()
