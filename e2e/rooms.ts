// Two people's actions on a video visit's pages, and checks of what each sees.
import { type Browser, expect, type Page } from '@playwright/test'
import { brokenRules } from './axe.ts'
import { blockedOn, judge } from './keyboard.ts'
import { openSignedIn } from './staff.ts'
import {
  bookVisit,
  call,
  enter,
  openContext,
  openMediaBrowser,
  type Room,
  status,
  turnOn,
} from './visits.ts'

const wide = { width: 1280, height: 900 }

/** Makes every connection in this context use the TURN server. */
const relayOnly = () => {
  const Native = globalThis.RTCPeerConnection
  globalThis.RTCPeerConnection = class extends Native {
    constructor(given?: RTCConfiguration) {
      super({ ...given, iceTransportPolicy: 'relay' })
    }
  }
}

async function openVideoContext(browser: Browser, relays: boolean, viewport?: typeof wide) {
  const context = await openContext(browser, viewport)
  if (relays) await context.addInitScript(relayOnly)
  return context
}

/** Waits until the other person's video is moving. */
async function expectPicture(room: Room): Promise<void> {
  await expect(status(room)).toHaveText('You’re connected.')
  const frames = () =>
    room
      .locator('#room-theirs')
      .evaluate((video: HTMLVideoElement) =>
        video.videoWidth > 0 ? video.getVideoPlaybackQuality().totalVideoFrames : 0,
      )
  // A new connection restarts the count.
  let last = await frames()
  let increases = 0
  const seen = async () => {
    const now = await frames()
    if (now > last) increases++
    last = now
    return increases
  }
  await expect.poll(seen, { intervals: [200] }).toBeGreaterThan(2)
}

/** Reloads the page, then opens it in a second window, and that window takes over the seat. */
async function comeBack(patient: Page, url: string, room: Room): Promise<Page> {
  await patient.reload()
  await turnOn(patient)
  await Promise.all([expectPicture(patient), expectPicture(room)])
  const second = await patient.context().newPage()
  await second.goto(url)
  await expect(patient.getByRole('heading', { level: 1 })).toContainText('open in another window')
  await turnOn(second)
  await Promise.all([expectPicture(second), expectPicture(room)])
  return second
}

/** Turns a microphone off and on again, and checks that the other person sees both changes. */
async function mute(one: Room, other: Room): Promise<void> {
  const off = other.locator('#room-their-muted')
  await one.getByRole('button', { name: 'Mute' }).click()
  await expect(one.locator('#room-my-muted')).toBeVisible()
  await expect(off).toContainText('is muted')
  await one.getByRole('button', { name: 'Mute' }).click()
  await expect(off).toBeHidden()
}

/** Closes the tab, which counts as leaving within five seconds, and returns. */
async function closeAndReturn(patient: Page, room: Room): Promise<void> {
  const url = patient.url()
  await patient.goto('about:blank')
  await expect(status(room)).toHaveText('The patient left the visit.', { timeout: 5000 })
  await patient.goto(url)
  await turnOn(patient)
  await Promise.all([expectPicture(patient), expectPicture(room)])
}

/** Without a connection, an action leaves the page and its note as they are. */
async function startUnconnected(page: Page): Promise<void> {
  const note = page.getByRole('textbox', { name: 'Note', exact: true })
  await page.route(/\/visits\//, route =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await note.fill('Before the visit.')
  await page.getByRole('button', { name: 'Start' }).click()
  await expect(page.getByRole('alert')).toContainText('Check your connection')
  await expect(note).toHaveValue('Before the visit.')
  await page.unrouteAll()
  await expect(page.locator('[data-saved]')).toHaveText('Draft saved')
}

/** Leaving the clinician's page would end the call, so the page asks first. */
async function stayInCall(page: Page): Promise<void> {
  const asked = page.waitForEvent('dialog')
  const left = page.getByRole('link', { name: 'Patients', exact: true }).click()
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  await left
}

/** A session that ends during the call doesn't end the call. Once the person has signed in again in
 *  another tab, the page's note and actions work again. */
async function renewSession(page: Page): Promise<void> {
  const context = page.context()
  // Another tab would start a new session.
  const others = context.pages().filter(one => one !== page)
  await Promise.all(others.map(one => one.close()))
  await context.clearCookies({ name: 'console_session' })
  const ended = page.getByText('Your session has ended.')
  await expect(ended).toBeVisible()
  await page.getByRole('textbox', { name: 'Note', exact: true }).fill('During the visit.')
  await page.keyboard.press('Control+Enter')
  await expect(page.locator('[data-saved]')).toContainText('Draft not saved.')
  await page.getByRole('button', { name: 'Complete' }).click()
  await expect(page.getByRole('alert')).toContainText('Confirm it’s you')
  const [other] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Confirm it’s you' }).click(),
  ])
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Your work')
  await other.close()
  await expect(page.locator('[data-saved]')).toHaveText('Draft saved')
  await expect(ended).toBeHidden()
}

/** A whole visit; with `relays`, through the TURN server only. */
export async function visitBetween(relays: boolean): Promise<void> {
  const browser = await openMediaBrowser()
  try {
    const name = relays ? 'Rose' : 'Vera'
    const visit = await bookVisit(name)
    const { url } = await call('GET', `/v1/visits/${visit}/join`)
    const patient = await (await openVideoContext(browser, relays)).newPage()
    await enter(patient, url)
    await turnOn(patient)
    await expect(status(patient)).toContainText('You’re in the waiting room.')
    await judge(patient, blockedOn(patient))
    // A forwarded link opens nothing.
    expect((await fetch(url)).status).toBe(403)

    const there = await openVideoContext(browser, relays, wide)
    const visits = await openSignedIn(there, 'clinician')
    await visits.getByRole('link', { name: 'Visits' }).first().click()
    const row = visits
      .getByRole('row', { name: `${name} Invented` })
      .filter({ has: visits.getByRole('link', { name: 'Video room' }) })
    const [page] = await Promise.all([
      there.waitForEvent('page'),
      row.getByRole('link', { name: 'Video room' }).first().click(),
    ])
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${name} Invented`)
    await expect(page.getByRole('main')).toContainText('04/02/1990')
    const room = page.frameLocator('iframe')
    await turnOn(room)
    await expect(status(room)).toContainText('The patient is waiting.')
    expect(await brokenRules(page)).toEqual([])
    if (!relays) await startUnconnected(page)
    await page.getByRole('button', { name: 'Start' }).click()
    await Promise.all([expectPicture(patient), expectPicture(room)])
    await expect(room.getByRole('timer')).toHaveText(/^\d+:\d\d$/)
    if (!relays) {
      await renewSession(page)
      await stayInCall(page)
      await Promise.all([expectPicture(patient), expectPicture(room)])
    }
    await mute(patient, room)
    await mute(room, patient)
    const last = relays ? patient : await comeBack(patient, url, room)
    await last.getByRole('button', { name: 'Leave' }).click()
    await expect(last.getByRole('heading', { level: 1 })).toHaveText('You left the visit')
    await expect(status(room)).toHaveText('The patient left the visit.', { timeout: 2000 })
    await last.getByRole('link', { name: 'Rejoin' }).click()
    await turnOn(last)
    await Promise.all([expectPicture(last), expectPicture(room)])
    if (!relays) await closeAndReturn(last, room)
    await last.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('button', { name: 'Complete' }).click()
    await expect(page.getByRole('main')).toContainText('Completed')
    await expect(last.getByRole('heading', { level: 1 })).toHaveText('Your visit is over')
    await expect(last.getByRole('link')).toHaveCount(0)
    await expect(room.getByRole('heading', { level: 1 })).toHaveText('Visit over')
  } finally {
    await browser.close()
  }
}
