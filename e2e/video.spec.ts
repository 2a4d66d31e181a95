// A video visit of two browsers with real media: the patient by the link that the program shows,
// the clinician from the console. First directly, then through a TURN server alone.
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import {
  type Browser,
  type BrowserContext,
  chromium,
  expect,
  type Page,
  test,
} from '@playwright/test'
import { browserFlags, findBrowser } from './browser.ts'
import { blockedOn, judge } from './keyboard.ts'
import { signIn } from './staff.ts'
import { dataDir, root, server } from './servers.ts'
import { hasTurn, startTurn } from './turn.ts'

const bun = path.join(root, 'node_modules', '.bin', 'bun')
const phone = { width: 390, height: 844 }
const wide = { width: 1280, height: 900 }

const call = async (method: string, target: string, body?: object) => {
  const { url, liveKey } = server()
  const answer = await fetch(url + target, {
    method,
    headers: {
      authorization: `Bearer ${liveKey}`,
      'content-type': 'application/json',
      ...(body && { 'idempotency-key': crypto.randomUUID() }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  expect(answer.status, text).toBeLessThan(300)
  return JSON.parse(text)
}

/** A visit with the clinician of this machine, which begins in two minutes. */
async function bookVisit(first_name: string): Promise<string> {
  const { id: patient } = await call('POST', '/v1/patients', {
    first_name,
    last_name: 'Invented',
    date_of_birth: '1990-04-02',
    sex_at_birth: 'female',
    email: `visit-${crypto.randomUUID().slice(0, 8)}@example.com`,
    phone: '+15555550142',
    address: { line1: '1 Main St', city: 'Austin', state: 'TX', postal_code: '78701' },
  })
  const { data } = await call('GET', '/v1/visits/slots?state=TX&limit=1')
  const { id } = await call('POST', '/v1/visits', { patient, starts_at: data[0].starts_at })
  const soon = `update live.visits set starts_at = now() + interval '2 minutes',
    ends_at = now() + interval '32 minutes' where id = '${id}'`
  const words = ['database/prompt.ts', '--data-dir', dataDir, soon]
  await promisify(execFile)(bun, words, { cwd: root })
  return id
}

const mediaFlags = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']

/** Every connection of this context goes through the TURN server. */
const relayOnly = () => {
  const Native = globalThis.RTCPeerConnection
  globalThis.RTCPeerConnection = class extends Native {
    constructor(given?: RTCConfiguration) {
      super({ ...given, iceTransportPolicy: 'relay' })
    }
  }
}

async function openContext(browser: Browser, relays: boolean, viewport = phone) {
  const context = await browser.newContext({
    viewport,
    colorScheme: viewport === phone ? 'dark' : 'light',
    permissions: ['camera', 'microphone'],
  })
  if (relays) await context.addInitScript(relayOnly)
  return context
}

const status = (page: Page) => page.getByRole('status')
const turnOn = (page: Page) => page.getByRole('button', { name: 'Turn on camera' }).click()

/** As a patient does who has mistyped the year at first. */
async function enter(page: Page, url: string): Promise<void> {
  const blocked = blockedOn(page)
  await page.goto(url)
  await judge(page, blocked)
  for (const year of ['1991', '1990']) {
    await page.getByLabel('Month').fill('4')
    await page.getByLabel('Day').fill('2')
    await page.getByLabel('Year').fill(year)
    await page.getByRole('button', { name: 'Continue' }).click()
    if (year === '1991') await expect(page.getByRole('alert')).toContainText('You can try 2 more')
  }
}

/** The picture of the other one moves. */
async function expectPicture(page: Page): Promise<void> {
  await expect(status(page)).toHaveText('You are connected.')
  const frames = () =>
    page.evaluate(() => {
      const video = document.querySelector<HTMLVideoElement>('#room-theirs')
      const played = video?.getVideoPlaybackQuality().totalVideoFrames ?? 0
      return (video?.videoWidth ?? 0) > 0 ? played : 0
    })
  // A new connection counts from zero.
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

/** The page is loaded again, then opened in a second window, which has the seat from then on. */
async function comeBack(patient: Page, url: string, room: Page): Promise<Page> {
  await patient.reload()
  await turnOn(patient)
  await Promise.all([expectPicture(patient), expectPicture(room)])
  const second = await patient.context().newPage()
  await second.goto(url)
  await expect(status(patient)).toContainText('open in another window')
  await turnOn(second)
  await Promise.all([expectPicture(second), expectPicture(room)])
  return second
}

let cookies: Awaited<ReturnType<BrowserContext['cookies']>> = []

/** The console; the second visit is of the same session. */
async function signedIn(context: BrowserContext): Promise<Page> {
  if (cookies.length > 0) {
    await context.addCookies(cookies)
    const page = await context.newPage()
    await page.goto(server().console)
    return page
  }
  const page = await signIn(context, 'clinician')
  cookies = await context.cookies()
  return page
}

async function visitBetween(relays: boolean): Promise<void> {
  const executablePath = await findBrowser()
  const browser = await chromium.launch({ executablePath, args: [...browserFlags, ...mediaFlags] })
  try {
    const name = relays ? 'Rose' : 'Vera'
    const visit = await bookVisit(name)
    const { url } = await call('GET', `/v1/visits/${visit}/join`)
    const patient = await (await openContext(browser, relays)).newPage()
    await enter(patient, url)
    await turnOn(patient)
    await expect(status(patient)).toContainText('You are in the waiting room.')
    await judge(patient, blockedOn(patient))
    // Forwarded, the link opens nothing.
    expect((await fetch(url)).status).toBe(403)

    const there = await openContext(browser, relays, wide)
    const visits = await signedIn(there)
    await visits.getByRole('link', { name: 'Visits' }).first().click()
    const row = visits.getByRole('row', { name: `${name} Invented` }).first()
    const [room] = await Promise.all([
      there.waitForEvent('page'),
      row.getByRole('link', { name: 'Video room' }).first().click(),
    ])
    await turnOn(room)
    await expect(status(room)).toContainText('The patient is waiting.')
    await row.getByRole('button', { name: 'Start' }).first().click()
    await Promise.all([expectPicture(patient), expectPicture(room)])
    const last = relays ? patient : await comeBack(patient, url, room)
    await row.getByRole('button', { name: 'Complete' }).first().click()
    await expect(last.getByRole('heading', { level: 1 })).toHaveText('This visit is over.')
    await expect(room.getByRole('heading', { level: 1 })).toHaveText('This visit is over.')
  } finally {
    await browser.close()
  }
}

// One clinician has one visit at a time.
test.describe.configure({ mode: 'serial' })

test('video: two browsers see each other, come back, and part when the visit is completed', async () => {
  await visitBetween(false)
})

if (hasTurn) {
  test('video: through a TURN server alone, with credentials for this visit', async () => {
    const turn = await startTurn()
    try {
      await visitBetween(true)
    } finally {
      turn.stop()
    }
  })
}
