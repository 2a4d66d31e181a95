// A video visit between two browsers with real media, directly and through a TURN server only. The
// patient uses the link that an integration shows, and the clinician uses the console. Also tests
// the patient's page when the camera, the connection or the visit fails.
import { expect, test } from '@playwright/test'
import { visitBetween } from './rooms.ts'
import { until } from './until.ts'
import { hasTurn, startTurn } from './turn.ts'
import { call, setTimes, setVisit, status, turnOn } from './visits.ts'
import {
  closeSharedBrowser,
  controlledPeers,
  failMedia,
  heldDescriptions,
  heldDevices,
  inWaitingRoom,
  letDescribe,
  letGo,
  letListDevices,
  locksOf,
  openSlowly,
  peersOf,
  recordedLocks,
  reloadAlone,
  reloadCuttable,
  reloadInVisit,
  setPeer,
  showAgain,
  tracksOf,
} from './waiting-room.ts'

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
    await failMedia(page, 'NotReadableError')
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
    await failMedia(page, 'NotAllowedError')
    await turnOn(page)
    const trouble = page.getByRole('alert')
    await expect(trouble).toContainText('Your browser blocked the camera')
    // The visit starts while the camera is blocked.
    await setVisit(id, `status = 'started', started_at = now()`)
    await expect(status(page)).toContainText('The visit has started.')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your visit has started')
    await expect(page).toHaveTitle('Your visit has started')
    await expect(page.getByRole('main')).not.toContainText('Your video visit with')
    await expect(trouble).toBeVisible()
    await turnOn(page)
    await expect(trouble).toBeHidden()
    await expect(page.getByRole('button', { name: 'Leave' })).toBeVisible()
  })
})

test('video: a patient whose camera is blocked joins by voice', async () => {
  await inWaitingRoom('Uma', async page => {
    await letGo(page)
    const voice = page.getByRole('button', { name: 'Join without camera' })
    await failMedia(page, 'NotAllowedError', true)
    await expect(voice).toBeHidden()
    await turnOn(page)
    await voice.press('Enter')
    await expect(page.getByRole('button', { name: 'Mute' })).toBeFocused()
    for (const name of ['Join without camera', 'Turn on camera', 'Camera off']) {
      await expect(page.getByRole('button', { name })).toBeHidden()
    }
    await expect(page.getByRole('alert')).toBeHidden()
    expect(await tracksOf(page)).toEqual(['live'])
    await page.getByRole('button', { name: 'Leave' }).press('Enter')
    await expect(page.getByRole('link', { name: 'Rejoin' })).toBeFocused()
    await expect(page).toHaveTitle('You left the visit')
  })
})

test('video: a hosted visit opens in its own window, and gets the devices', async () => {
  await inWaitingRoom('Wes', async page => {
    const gateway = await reloadAlone(page, 'patient')
    await letGo(page)
    await turnOn(page)
    await expect(page.getByRole('button', { name: 'Mute' })).toBeFocused()
    gateway.start({ kind: 'page', url: 'https://video.example.com/a' })
    const link = page.getByRole('link', { name: 'Open the video visit' })
    await expect(link).toBeFocused()
    await expect(link).toHaveAttribute('target', '_blank')
    await expect(page.getByRole('button', { name: 'Leave' })).toBeHidden()
    expect(await tracksOf(page)).toEqual(['ended', 'ended'])
  })
})

test('video: a page whose calls fail names the network until one connects', async () => {
  await inWaitingRoom('Xena', async page => {
    await page.addInitScript(controlledPeers)
    await reloadInVisit(page)
    const trouble = page.getByRole('alert')
    await setPeer(page, 1, 'failed')
    await setPeer(page, 2, 'connected')
    await setPeer(page, 2, 'failed')
    await expect(trouble).toBeHidden()
    await setPeer(page, 3, 'failed')
    await expect(trouble).toContainText('Switch to another network')
    await setPeer(page, 4, 'connected')
    await expect(trouble).toBeHidden()
  })
})

test('video: a page whose visit starts while it lists its devices asks for one call', async () => {
  await inWaitingRoom('Zoe', async page => {
    await page.addInitScript(heldDevices)
    const gateway = await reloadAlone(page, 'clinician')
    await letGo(page)
    await turnOn(page)
    await expect.poll(() => tracksOf(page)).toEqual(['live', 'live'])
    gateway.start({ kind: 'peer', iceServers: [] })
    await expect.poll(gateway.ready).toBe(1)
    await letListDevices(page)
    const camera = page.getByRole('combobox', { name: 'Camera' })
    await expect(camera.locator('option')).toHaveCount(2)
    // A second request would arrive before this response.
    await tracksOf(page)
    expect(gateway.ready()).toBe(1)
  })
})

test('video: someone who left during the call’s setup and returns is called again', async () => {
  await inWaitingRoom('Ada', async page => {
    await page.addInitScript(controlledPeers)
    await page.addInitScript(heldDescriptions)
    const gateway = await reloadInVisit(page)
    await expect.poll(() => peersOf(page)).toBe(1)
    gateway.sayOther('left')
    await expect(status(page)).toHaveText('The patient left the visit.')
    await letDescribe(page)
    gateway.sayOther('here')
    await expect.poll(() => peersOf(page)).toBe(2)
  })
})

test('video: the screen stays on until the patient leaves', async () => {
  await inWaitingRoom('Yara', async page => {
    await page.addInitScript(recordedLocks)
    await page.reload()
    await expect.poll(() => locksOf(page)).toEqual(['held'])
    await showAgain(page)
    await expect.poll(() => locksOf(page)).toEqual(['released', 'held'])
    await turnOn(page)
    await letGo(page)
    await page.getByRole('button', { name: 'Leave' }).click()
    await expect.poll(() => locksOf(page)).toEqual(['released', 'released'])
  })
})

test('video: an offline page says so, and shows if the visit was canceled in the meantime', async () => {
  await inWaitingRoom('Pia', async (page, { id }) => {
    const connection = await reloadCuttable(page)
    await turnOn(page)
    await letGo(page)
    await expect(status(page)).toContainText('You’re in the waiting room.')
    await connection.cut()
    // Waits until the page has checked whether the visit has ended.
    await page.waitForResponse(answer => answer.url() === page.url())
    connection.restore()
    await expect(status(page)).toContainText('You’re in the waiting room.')
    await expect(page.getByRole('button', { name: 'Leave' })).toBeVisible()
    await connection.cut()
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
    await setTimes(id, "interval '-60 minutes'", "interval '-1790 seconds'")
    const closesAt = Date.now() + 10_000
    const connection = await reloadCuttable(page)
    await expect(status(page)).toContainText('You’re in the waiting room.')
    await setTimes(id, "interval '2 minutes'", "interval '32 minutes'")
    await until(() => Date.now() >= closesAt)
    await connection.cut()
    connection.restore()
    await expect(status(page)).toContainText('You’re in the waiting room.')
    await setTimes(id, "interval '1 day'", "interval '1 day 30 minutes'")
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This visit was rescheduled')
    await expect(page.locator('#room')).toHaveCount(0)
  })
})
