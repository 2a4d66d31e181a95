// A video room page's connection to the other browser. The page joins this file with room.ts into
// one script, so the code here can use names from room.ts. The clinician's page opens each
// connection once the patient's page signals that it's ready.

type Muted = Partial<Record<Kind, boolean>>
type Signal = {
  /** The signal's connection; each connection the clinician opens has a different name. */
  page: string
  isReply?: boolean
  /** The message only reports what's muted. */
  isNote?: boolean
  muted?: Muted
  description?: RTCSessionDescription
  candidate?: RTCIceCandidateInit | null
}

let peer: RTCPeerConnection | null = null
let page = ''

const send = (signal: Omit<Signal, 'page'>) => {
  if (socket?.readyState === WebSocket.OPEN)
    socket.send(JSON.stringify({ page, muted: ownMuted(), ...signal }))
}

/** Signals that this page is ready, once it has its media and the visit has started. */
function begin(): void {
  sayState()
  if (media !== null && entry?.kind === 'peer') send({})
}

function closePeer(): void {
  peer?.close()
  peer = null
  if (theirs !== null) theirs.srcObject = null
  root?.classList.remove('is-connected')
  showTheirMuted({})
}

const blocked =
  'The call can’t get through. Switch to another network, such as your phone’s cellular connection, or turn off your VPN. This page reconnects by itself.'
/** The number of consecutive calls that failed. */
let failedCalls = 0

function countFailure(): void {
  if (++failedCalls > 1) showTrouble(blocked)
}

function showConnected(): void {
  failedCalls = 0
  if (trouble?.textContent === blocked) showTrouble(null)
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
    if (made.connectionState === 'connected') showConnected()
    if (made.connectionState === 'failed') {
      countFailure()
      begin()
    }
    sayState()
  })
  for (const track of stream.getTracks()) made.addTrack(track, stream)
  return made
}

async function call(iceServers: RTCIceServer[], stream: MediaStream): Promise<void> {
  page = crypto.randomUUID()
  const made = openPeer(iceServers, stream)
  // Without a camera, the page still receives the other person's video.
  if (stream.getVideoTracks().length === 0) made.addTransceiver('video', { direction: 'recvonly' })
  await describe(made)
}

async function describe(made: RTCPeerConnection): Promise<void> {
  await made.setLocalDescription()
  if (made.localDescription !== null) send({ description: made.localDescription })
}

async function hearSignal(signal: Signal): Promise<void> {
  if (media === null || entry?.kind !== 'peer') return
  await take(signal, entry.iceServers, media)
  if (signal.muted !== undefined) showTheirMuted(signal.muted)
}

async function take(signal: Signal, iceServers: RTCIceServer[], own: MediaStream): Promise<void> {
  const { page: theirPage, isReply = false, isNote = false, description, candidate } = signal
  if (isNote) return
  if (description === undefined && candidate === undefined) {
    // The call failed for the other page first.
    const isTrying = theirPage === page && peer?.connectionState === 'connecting'
    if (isTrying && !isReply) countFailure()
    if (seat === 'clinician') return call(iceServers, own)
    return isReply ? undefined : send({ isReply: true })
  }
  if (description?.type === 'offer') {
    page = theirPage
    const made = openPeer(iceServers, own)
    await made.setRemoteDescription(description)
    return describe(made)
  }
  // Ignore messages from a replaced connection.
  if (peer === null || theirPage !== page) return
  if (description !== undefined) return peer.setRemoteDescription(description)
  if (candidate !== undefined && candidate !== null) await peer.addIceCandidate(candidate)
}
