// A patient's page in the waiting room, with a camera and network that the test controls.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, expect, type Page, type WebSocketRoute } from '@playwright/test'
import {
  bookVisit,
  call,
  enter,
  openContext,
  openMediaBrowser,
  setVisit,
  status,
  turnOn,
} from './visits.ts'

/** Makes `getUserMedia` wait until the test releases it, and records the tracks that it opens. */
const heldMedia = () => {
  const { mediaDevices } = navigator
  const native = mediaDevices.getUserMedia.bind(mediaDevices)
  const gate = Promise.withResolvers<void>()
  const opened: MediaStreamTrack[] = []
  mediaDevices.getUserMedia = async wanted => {
    await gate.promise
    const stream = await native(wanted)
    opened.push(...stream.getTracks())
    return stream
  }
  Object.assign(globalThis, { opened, letGo: gate.resolve })
}
type OpenTracks = { opened: MediaStreamTrack[]; letGo(): void }

/** The state of each track that the page opened. */
export const tracksOf = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as OpenTracks).opened.map(track => track.readyState))

/** Makes the page's list of its devices wait until the test releases it. */
export const heldDevices = () => {
  const { mediaDevices } = navigator
  const native = mediaDevices.enumerateDevices.bind(mediaDevices)
  const gate = Promise.withResolvers<void>()
  mediaDevices.enumerateDevices = () => gate.promise.then(native)
  Object.assign(globalThis, { listDevices: gate.resolve })
}
export const letListDevices = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { listDevices(): void }).listDevices())

let shared: Promise<Browser> | undefined

/** A patient in the waiting room, in a browser with two cameras, which all these patients share. */
export async function inWaitingRoom(
  name: string,
  work: (page: Page, visit: { id: string; url: string }) => Promise<void>,
): Promise<void> {
  shared ??= openMediaBrowser(2)
  const context = await openContext(await shared)
  try {
    const id = await bookVisit(name)
    const { url } = await call('GET', `/v1/visits/${id}/join`)
    const page = await context.newPage()
    await page.addInitScript(heldMedia)
    await enter(page, url)
    try {
      await work(page, { id, url })
    } finally {
      const { status } = await call('GET', `/v1/visits/${id}`)
      if (status === 'scheduled') await call('POST', `/v1/visits/${id}/cancel`)
      else await setVisit(id, `status = 'cancelled', started_at = null, ended_at = now()`)
    }
  } finally {
    await context.close()
  }
}

/** Reloads the page with a connection to the gateway that the test can cut and restore. */
export async function reloadCuttable(page: Page) {
  let isCut = false
  const sockets: WebSocketRoute[] = []
  await page.routeWebSocket('**/visits/room', route => {
    if (isCut) return void route.close()
    route.connectToServer()
    sockets.push(route)
  })
  await page.reload()
  return {
    async cut() {
      isCut = true
      await sockets.at(-1)?.close()
      await expect(status(page)).toHaveText('Connection lost. Reconnecting…')
    },
    restore: () => void (isCut = false),
  }
}

/** Reloads the page as `seat`, in a visit that the test starts. The other page is ready for each
 *  call, but answers none. */
export async function reloadAlone(page: Page, seat: 'patient' | 'clinician') {
  let send: (message: object) => void = () => {}
  let ready = 0
  await page.routeWebSocket('**/visits/room', route => {
    send = message => route.send(JSON.stringify(message))
    route.onMessage(text => {
      if (/"(?:description|candidate|isNote)"/.test(String(text))) return
      ready++
      send({ type: 'signal', data: { page: '', isReply: true } })
    })
    send({ type: 'welcome', seat })
  })
  await page.reload()
  await expect(status(page)).not.toHaveText('Opening the room…')
  const sayOther = (other: 'here' | 'left') =>
    send({ type: 'state', status: 'started', other, elapsed: 0 })
  return {
    start(entry: object) {
      sayOther('here')
      send({ type: 'open', entry })
    },
    sayOther,
    /** How often the page said that it's ready. */
    ready: () => ready,
  }
}

/** Reloads the page as the clinician's, turns on its camera, and starts the visit. */
export async function reloadInVisit(page: Page) {
  const gateway = await reloadAlone(page, 'clinician')
  await letGo(page)
  await turnOn(page)
  gateway.start({ kind: 'peer', iceServers: [] })
  return gateway
}

/** Makes the test decide the state of each connection to the other browser. */
export const controlledPeers = () => {
  const peers: RTCPeerConnection[] = []
  globalThis.RTCPeerConnection = class extends globalThis.RTCPeerConnection {
    state: RTCPeerConnectionState = 'new'
    constructor(given?: RTCConfiguration) {
      super(given)
      peers.push(this)
    }
    override get connectionState() {
      return this.state
    }
  }
  Object.assign(globalThis, { peers })
}

/** Makes the description of each connection wait until the test releases it. */
export const heldDescriptions = () => {
  const gate = Promise.withResolvers<void>()
  globalThis.RTCPeerConnection = class extends globalThis.RTCPeerConnection {
    override async setLocalDescription(given?: RTCLocalSessionDescriptionInit) {
      await super.setLocalDescription(given)
      await gate.promise
      // Browsers never settle this promise for a connection closed in the meantime.
      if (this.signalingState === 'closed') await new Promise(() => {})
    }
  }
  Object.assign(globalThis, { describe: gate.resolve })
}
export const letDescribe = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { describe(): void }).describe())

type Peers = { peers: (EventTarget & { state: string })[] }

/** How many connections to the other browser the page has opened. */
export const peersOf = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as Peers).peers.length)

/** Waits for the page's connection with this number, from 1, and sets its state. */
export async function setPeer(page: Page, number: number, state: string): Promise<void> {
  await page.waitForFunction(
    count => (globalThis as unknown as Peers).peers.length === count,
    number,
  )
  await page.evaluate(next => {
    const peer = (globalThis as unknown as Peers).peers.at(-1)
    if (peer === undefined) return
    peer.state = next
    peer.dispatchEvent(new Event('connectionstatechange'))
  }, state)
}

type Locks = { locks: { released: boolean; release(): void }[] }

/** Records the page's requests to keep the screen on. */
export const recordedLocks = () => {
  const locks: Locks['locks'] = []
  const request = async () => {
    const lock = { released: false, release: () => void (lock.released = true) }
    locks.push(lock)
    return lock
  }
  Object.defineProperty(navigator, 'wakeLock', { value: { request } })
  Object.assign(globalThis, { locks })
}

export const locksOf = (page: Page) =>
  page.evaluate(() =>
    (globalThis as unknown as Locks).locks.map(({ released }) => (released ? 'released' : 'held')),
  )

/** A browser releases the lock of a hidden page; then the page is shown again. */
export const showAgain = (page: Page) =>
  page.evaluate(() => {
    ;(globalThis as unknown as Locks).locks.at(-1)?.release()
    document.dispatchEvent(new Event('visibilitychange'))
  })

/** Makes the page's next request for its devices fail, or each request for the camera. */
export const failMedia = (page: Page, name: string, isCameraOnly = false) =>
  page.evaluate(
    given => {
      const { mediaDevices } = navigator
      const native = mediaDevices.getUserMedia.bind(mediaDevices)
      mediaDevices.getUserMedia = async wanted => {
        if (given.isCameraOnly && wanted?.video === undefined) return native(wanted)
        if (!given.isCameraOnly) mediaDevices.getUserMedia = native
        throw new DOMException('refused', given.name)
      }
    },
    { name, isCameraOnly },
  )

export const closeSharedBrowser = async () => (await shared)?.close()

export const letGo = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as OpenTracks).letGo())

/** Opens the page through a server that holds back its script, as on a slow network. */
export async function openSlowly(page: Page, url: string) {
  let arrive = () => {}
  const gate = new Promise<void>(resolve => (arrive = resolve))
  const cookies = await page.context().cookies(url)
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const relay = async (response: ServerResponse) => {
    const text = await (await fetch(url, { headers: { cookie } })).text()
    const script = text.indexOf('<script')
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.write(text.slice(0, script))
    await gate
    response.end(text.slice(script))
  }
  const slow = createServer((_, response) => void relay(response))
  await new Promise<void>(resolve => slow.listen(0, '127.0.0.1', resolve))
  const { port } = slow.address() as AddressInfo
  await page.route(url, route => route.continue({ url: `http://127.0.0.1:${port}/` }))
  await page.goto(url, { waitUntil: 'commit' })
  return { arrive, stop: () => slow.close() }
}
