// A video room page's camera and microphone. The page joins this file with room.ts into one script,
// so the code here can use names from room.ts.

type Kind = 'audio' | 'video'

let media: MediaStream | null = null
let isOpening = false
/** The last chosen device of each kind. */
const chosen: Partial<Record<Kind, string>> = {}

const troubles: Readonly<Record<string, string>> = {
  NotAllowedError:
    'Your browser blocked the camera or microphone. Allow both for this page in the address bar or in your settings, then try again.',
  NotReadableError: 'Another app is using your camera or microphone. Close it, then try again.',
  NotFoundError: 'No microphone found. Connect one, then try again.',
}

/** Shows what's wrong with the devices next to the visit's status, until it's resolved. */
function showTrouble(text: string | null): void {
  if (trouble === null) return
  trouble.hidden = text === null
  trouble.textContent = text
}

/** Whether this page may use the devices: the visit isn't over, and takes place here. */
const mayUseMedia = () => !isOver && entry?.kind !== 'page'

function sayTrouble(failure: unknown): null {
  const name = failure instanceof DOMException ? failure.name : ''
  if (mayUseMedia())
    showTrouble(troubles[name] ?? 'Your camera and microphone didn’t start. Try again.')
  return null
}

const stopTracks = (stream: MediaStream | null): void => {
  for (const track of stream?.getTracks() ?? []) track.stop()
}

const trackOf = (kind: Kind) => media?.getTracks().find(track => track.kind === kind)

/** A visit works without a camera, but not without a microphone. */
async function openMedia(isVoice: boolean): Promise<MediaStream> {
  if (isVoice) return navigator.mediaDevices.getUserMedia({ audio: true })
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: true,
      video: { facingMode: 'user' },
    })
  } catch (failure) {
    const name = failure instanceof DOMException ? failure.name : ''
    if (voice !== null && mayUseMedia()) {
      voice.hidden = name !== 'NotAllowedError' && name !== 'NotReadableError'
    }
    if (name !== 'NotFoundError') throw failure
    return openMedia(true)
  }
}

async function turnOn(isVoice = false): Promise<void> {
  if (isOpening || media !== null) return
  isOpening = true
  const opened = await openMedia(isVoice).catch(sayTrouble)
  isOpening = false
  if (opened === null) return
  // Permission may be granted after the visit has ended here.
  if (!mayUseMedia()) return stopTracks(opened)
  media = opened
  showTrouble(null)
  if (mine !== null) mine.srcObject = media
  if (controls !== null) controls.hidden = false
  const camera = part('video-off')
  if (camera !== null && trackOf('video') === undefined) {
    camera.setAttribute('aria-pressed', 'true')
    camera.hidden = true
  }
  const wasFocused = hasFocus(on, voice)
  hide(on, voice)
  if (wasFocused) part('audio-off')?.focus()
  root?.classList.add('is-on')
  // In the same step as `media` is set, because the visit may start while the devices are listed.
  begin()
  await listDevices()
}

async function listDevices(): Promise<void> {
  const devices = await navigator.mediaDevices.enumerateDevices()
  for (const kind of ['audio', 'video'] as const) {
    const select = part<HTMLSelectElement>(kind)
    const own = devices.filter(one => one.kind === `${kind}input`)
    if (select === null) continue
    select.replaceChildren(...own.map(one => new Option(one.label, one.deviceId)))
    select.value = trackOf(kind)?.getSettings().deviceId ?? ''
    if (select.parentElement !== null)
      select.parentElement.hidden = own.length < 2 || trackOf(kind) === undefined
  }
}

const openDevice = (kind: Kind, deviceId: string): Promise<MediaStream | null> =>
  navigator.mediaDevices
    .getUserMedia({ [kind]: { deviceId: { exact: deviceId } } })
    .catch(sayTrouble)

async function useDevice(kind: Kind, deviceId: string): Promise<void> {
  chosen[kind] = deviceId
  const before = trackOf(kind)?.getSettings().deviceId
  // Most phones open one camera at a time.
  if (kind === 'video') trackOf(kind)?.stop()
  let opened = await openDevice(kind, deviceId)
  if (opened !== null) showTrouble(null)
  const isBack = opened === null && kind === 'video' && chosen[kind] === deviceId && !isOver
  if (isBack && before !== undefined) opened = await openDevice(kind, before)
  const [track] = opened?.getTracks() ?? []
  if (isOver || media === null || chosen[kind] !== deviceId) return stopTracks(opened)
  if (track !== undefined) await replaceTrack(media, track)
  await listDevices()
}

async function replaceTrack(stream: MediaStream, track: MediaStreamTrack): Promise<void> {
  const old = stream.getTracks().find(one => one.kind === track.kind)
  if (old !== undefined) {
    track.enabled = old.enabled
    old.stop()
    stream.removeTrack(old)
  }
  stream.addTrack(track)
  const sender = peer?.getSenders().find(one => one.track?.kind === track.kind)
  await sender?.replaceTrack(track)
}

const isMuted = (kind: Kind): boolean =>
  part(`${kind}-off`)?.getAttribute('aria-pressed') === 'true'

const ownMuted = () => ({ audio: isMuted('audio'), video: isMuted('video') })

function toggle(kind: Kind, button: HTMLButtonElement): void {
  const isOff = !isMuted(kind)
  button.setAttribute('aria-pressed', String(isOff))
  for (const track of media?.getTracks() ?? []) if (track.kind === kind) track.enabled = !isOff
  if (myMuted !== null) myMuted.hidden = !isMuted('audio')
  send({ isNote: true })
}

/** Shows which devices the other person has turned off. */
function showTheirMuted({ audio = false, video = false }: Muted): void {
  if (theirMuted === null) return
  theirMuted.hidden = !audio && !video
  const them = seat === 'patient' ? 'Your clinician' : 'The patient'
  const off = video ? `${them}’s camera is off.` : `${them} is muted.`
  theirMuted.textContent = audio && video ? `${them} is muted, with the camera off.` : off
}
