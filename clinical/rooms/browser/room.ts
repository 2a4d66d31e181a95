// The script of a page in a video room. It is a part of the page and imports nothing.

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
const [statusPart, theirs, mine] = [
  part('status'),
  part<HTMLVideoElement>('theirs'),
  part<HTMLVideoElement>('mine'),
]
const [on, controls, link, again] = [
  part<HTMLButtonElement>('on'),
  part('controls'),
  part<HTMLAnchorElement>('link'),
  part<HTMLAnchorElement>('again'),
]

const ticket = root?.dataset['ticket'] ?? ''
let seat: 'patient' | 'clinician' = 'patient'
let visit = { status: '', other: false }
let entry: Entry | null = null
let media: MediaStream | null = null
let socket: WebSocket | null = null
let waits = 500
let isOver = false

function say(text: string): void {
  if (statusPart !== null && statusPart.textContent !== text) statusPart.textContent = text
}

// What is said ------------------------------------------------------------------------------------

const states: Partial<Record<RTCPeerConnectionState, string>> = {
  connected: 'You are connected.',
  disconnected: 'The connection was lost. It is being made again.',
  failed: 'The connection was lost. It is being made again.',
}

function sayState(): void {
  if (isOver) return
  const connection = states[peer?.connectionState ?? 'new']
  if (visit.status === 'started' && connection !== undefined && media !== null)
    return say(connection)
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

// Camera and microphone ---------------------------------------------------------------------------

const troubles: Readonly<Record<string, string>> = {
  NotAllowedError:
    'Your browser did not allow the camera or the microphone. Allow both for this page, in the address bar or the settings, and try again.',
  NotReadableError: 'Another program uses your camera or microphone. Close it and try again.',
  NotFoundError: 'No microphone was found. Connect one and try again.',
}

/** A visit can do without a camera, and not without a microphone. */
async function openMedia(wanted: MediaStreamConstraints): Promise<MediaStream> {
  try {
    return await navigator.mediaDevices.getUserMedia(wanted)
  } catch (failure) {
    if (!(failure instanceof DOMException) || failure.name !== 'NotFoundError') throw failure
    return navigator.mediaDevices.getUserMedia({ audio: wanted.audio ?? true })
  }
}

async function turnOn(): Promise<void> {
  try {
    media = await openMedia({ audio: true, video: { facingMode: 'user' } })
  } catch (failure) {
    const name = failure instanceof DOMException ? failure.name : ''
    return say(troubles[name] ?? 'The camera and the microphone could not be opened. Try again.')
  }
  if (mine !== null) mine.srcObject = media
  if (on !== null) on.hidden = true
  if (controls !== null) controls.hidden = false
  root?.classList.add('is-on')
  await listDevices()
  begin()
}

async function listDevices(): Promise<void> {
  const devices = await navigator.mediaDevices.enumerateDevices()
  for (const kind of ['audio', 'video'] as const) {
    const select = part<HTMLSelectElement>(kind)
    const own = devices.filter(one => one.kind === `${kind}input`)
    if (select === null) continue
    select.replaceChildren(...own.map(one => new Option(one.label, one.deviceId)))
    select.value =
      media
        ?.getTracks()
        .find(track => track.kind === kind)
        ?.getSettings().deviceId ?? ''
    if (select.parentElement !== null) select.parentElement.hidden = own.length < 2
  }
}

async function useDevice(kind: 'audio' | 'video', deviceId: string): Promise<void> {
  const stream = await navigator.mediaDevices.getUserMedia({
    [kind]: { deviceId: { exact: deviceId } },
  })
  const [track] = stream.getTracks()
  const old = media?.getTracks().find(one => one.kind === kind)
  if (track === undefined || media === null) return
  if (old !== undefined) {
    track.enabled = old.enabled
    old.stop()
    media.removeTrack(old)
  }
  media.addTrack(track)
  const sender = peer?.getSenders().find(one => one.track?.kind === kind)
  await sender?.replaceTrack(track)
}

function toggle(kind: 'audio' | 'video', button: HTMLButtonElement): void {
  const isOff = button.getAttribute('aria-pressed') !== 'true'
  button.setAttribute('aria-pressed', String(isOff))
  for (const track of media?.getTracks() ?? []) if (track.kind === kind) track.enabled = !isOff
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
    waits = 500
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
  for (const track of media?.getTracks() ?? []) track.stop()
  root?.classList.add('is-over')
  if (on !== null) on.hidden = true
  if (again !== null) {
    again.hidden = back === null
    again.textContent = back
  }
  say(text)
}

function connect(): void {
  const address = new URL('/visits/room', location.href)
  address.protocol = address.protocol.replace('http', 'ws')
  const opened = new WebSocket(address, ['video.v1', ticket])
  socket = opened
  opened.addEventListener('message', ({ data }) => receive(JSON.parse(String(data))))
  opened.addEventListener('close', ({ code }) => {
    if (isOver) return
    if (code === 4001) return finish('This visit is open in another window.', 'Continue here')
    // The page of the visit says how it ended.
    if (code === 4002) {
      finish('The visit is over.', null)
      return location.reload()
    }
    setTimeout(connect, waits)
    waits = Math.min(waits * 2, 8000)
  })
}

function leave(): void {
  socket?.close(1000)
  finish('You have left the visit.', 'Come back')
}

on?.addEventListener('click', () => void turnOn())
part('leave')?.addEventListener('click', leave)
for (const kind of ['audio', 'video'] as const) {
  const button = part<HTMLButtonElement>(`${kind}-off`)
  button?.addEventListener('click', () => toggle(kind, button))
  part<HTMLSelectElement>(kind)?.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement) void useDevice(kind, target.value)
  })
}
if (root !== null) connect()
