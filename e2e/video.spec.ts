// A video visit between two browsers with real media, directly and through a TURN server only. The
// patient uses the link that an integration shows, and the clinician uses the console. Also tests
// the patient's page when the camera, the connection or the visit fails.
import { expect, test } from '@playwright/test'
import { brokenRules } from './axe.ts'
import {
  closeAndReturn,
  comeBack,
  renewSession,
  expectPicture,
  mute,
  openVideoContext,
  startUnconnected,
  stayInCall,
  wide,
} from './rooms.ts'
import { openSignedIn } from './staff.ts'
import { until } from './until.ts'
import { blockedOn, judge } from './keyboard.ts'
import { hasTurn, startTurn } from './turn.ts'
import { closeSharedBrowser, inWaitingRoom, letGo, openSlowly, tracksOf } from './waiting-room.ts'
import {
  bookVisit,
  call,
  enter,
  openMediaBrowser,
  setTimes,
  setVisit,
  status,
  turnOn,
} from './visits.ts'

async function visitBetween(relays: boolean): Promise<void> {
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

// The tests run in sequence, because a clinician has one visit at a time.
test.describe.configure({ mode: 'serial' })
test.afterAll(closeSharedBrowser)

test('video: two browsers see each other, reconnect, and leave when the visit is completed', async () => {
  await visitBetween(false)
})

if (hasTurn) {
  test('video: through a TURN server only, with credentials for this visit', async () => {
    const turn = await startTurn()
    try {
      await visitBetween(true)
    } finally {
      turn.stop()
    }
  })
}

test('video: a camera allowed after the page has ended is turned off', async () => {
  await inWaitingRoom('Nell', async (page, { url }) => {
    await turnOn(page)
    await turnOn(page)
    const second = await page.context().newPage()
    await second.goto(url)
    await expect(page.getByRole('heading', { level: 1 })).toContainText('open in another window')
    await letGo(page)
    await expect.poll(() => tracksOf(page)).toEqual(['ended', 'ended'])
    await expect(page.getByRole('button', { name: 'Leave' })).toBeHidden()
  })
})

test('video: another camera can be chosen, even if it cannot be opened', async () => {
  await inWaitingRoom('Olga', async page => {
    await turnOn(page)
    await letGo(page)
    const camera = page.getByRole('combobox', { name: 'Camera' })
    await expect(camera.locator('option')).toHaveCount(2)
    const [first = '', second = ''] = await camera.locator('option').allTextContents()
    await camera.selectOption(second)
    // The microphone, the first camera and the second.
    await expect.poll(() => tracksOf(page)).toEqual(['live', 'ended', 'live'])
    await page.evaluate(() => {
      const { mediaDevices } = navigator
      const native = mediaDevices.getUserMedia.bind(mediaDevices)
      mediaDevices.getUserMedia = async () => {
        mediaDevices.getUserMedia = native
        throw new DOMException('in use', 'NotReadableError')
      }
    })
    await camera.selectOption(first)
    await expect(page.getByRole('alert')).toContainText('Another app is using your camera')
    await expect(camera.locator('option:checked')).toHaveText(second)
    await expect.poll(() => tracksOf(page)).toEqual(['live', 'ended', 'ended', 'live'])
    await page.getByRole('button', { name: 'Leave' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('You left the visit')
    expect(await tracksOf(page)).toEqual(['ended', 'ended', 'ended', 'ended'])
  })
})

test('video: the camera cannot be turned on before the page’s script has loaded', async () => {
  await inWaitingRoom('Sara', async (page, { url }) => {
    await letGo(page)
    const slow = await openSlowly(page, url)
    const button = page.getByRole('button', { name: 'Turn on camera' })
    await expect(button).toBeVisible()
    const pressed = button.click()
    await expect(button).toBeDisabled()
    slow.arrive()
    await pressed
    await letGo(page)
    await expect(page.getByRole('button', { name: 'Leave' })).toBeVisible()
    slow.stop()
  })
})

test('video: a camera’s failure reason stays on the page until the camera starts', async () => {
  await inWaitingRoom('Tess', async (page, { id }) => {
    await letGo(page)
    await page.evaluate(() => {
      const { mediaDevices } = navigator
      const native = mediaDevices.getUserMedia.bind(mediaDevices)
      mediaDevices.getUserMedia = async () => {
        mediaDevices.getUserMedia = native
        throw new DOMException('denied', 'NotAllowedError')
      }
    })
    await turnOn(page)
    const trouble = page.getByRole('alert')
    await expect(trouble).toContainText('Your browser blocked the camera')
    // The visit starts while the camera is blocked.
    await setVisit(id, `status = 'started', started_at = now()`)
    await expect(status(page)).toContainText('The visit has started.')
    await expect(trouble).toBeVisible()
    await turnOn(page)
    await expect(trouble).toBeHidden()
    await expect(page.getByRole('button', { name: 'Leave' })).toBeVisible()
  })
})

test('video: an offline page says so, and shows if the visit was canceled in the meantime', async () => {
  await inWaitingRoom('Pia', async (page, { id }) => {
    let isCut = false
    const sockets: { close(): Promise<void> }[] = []
    await page.routeWebSocket('**/visits/room', route => {
      if (isCut) return void route.close()
      route.connectToServer()
      sockets.push(route)
    })
    await page.reload()
    await turnOn(page)
    await letGo(page)
    await expect(status(page)).toContainText('You’re in the waiting room.')
    const cut = async () => {
      isCut = true
      await sockets.at(-1)?.close()
      await expect(status(page)).toHaveText('Connection lost. Reconnecting…')
    }
    await cut()
    // Waits until the page has checked whether the visit has ended.
    await page.waitForResponse(answer => answer.url() === page.url())
    isCut = false
    await expect(status(page)).toContainText('You’re in the waiting room.')
    await expect(page.getByRole('button', { name: 'Leave' })).toBeVisible()
    await cut()
    await call('POST', `/v1/visits/${id}/cancel`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This visit was canceled')
  })
})

test('video: a page left while offline does not rejoin', async () => {
  await inWaitingRoom('Quin', async page => {
    let opened = 0
    await page.clock.install()
    await page.routeWebSocket('**/visits/room', route => {
      opened++
      return route.close()
    })
    await page.reload()
    await turnOn(page)
    await letGo(page)
    // The pauses between connection attempts grow, so the next attempt would come after four
    // seconds.
    await expect.poll(() => opened).toBe(4)
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.clock.fastForward(5000)
    expect(opened).toBe(4)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('You left the visit')
  })
})

test('video: the page of a rescheduled visit comes back after the original end', async () => {
  await inWaitingRoom('Ruth', async (page, { id }) => {
    let isCut = false
    const sockets: { close(): Promise<void> }[] = []
    await page.routeWebSocket('**/visits/room', route => {
      if (isCut) return void route.close()
      route.connectToServer()
      sockets.push(route)
    })
    await setTimes(id, "interval '-60 minutes'", "interval '-1790 seconds'")
    const closesAt = Date.now() + 10_000
    await page.reload()
    await expect(status(page)).toContainText('You’re in the waiting room.')
    await setTimes(id, "interval '2 minutes'", "interval '32 minutes'")
    await until(() => Date.now() >= closesAt)
    isCut = true
    await sockets.at(-1)?.close()
    await expect(status(page)).toHaveText('Connection lost. Reconnecting…')
    isCut = false
    await expect(status(page)).toContainText('You’re in the waiting room.')
  })
})
