// A patient's page in the waiting room, with a camera and network that the test controls.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from '@playwright/test'
import { bookVisit, call, enter, openContext, openMediaBrowser, setVisit } from './visits.ts'

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
