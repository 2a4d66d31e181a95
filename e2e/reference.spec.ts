// The reference as an integrator uses it. Sends the requests on the reference's pages, both by
// copying them and with each operation's form. A form contacts only this server.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { server, root, workingDir } from './servers.ts'

const runners = {
  sh: ['bash'],
  ts: [path.join(root, 'node_modules', '.bin', 'bun')],
  python: ['python3'],
} as const

for (const operation of ['create-patient', 'list-cases']) {
  for (const [language, [program, ...before]] of Object.entries(runners)) {
    test(`reference ${operation}: the ${language} request gets the response shown`, async ({
      request,
    }) => {
      const isThere = spawnSync(program, ['--version']).status === 0
      test.info().skip(!isThere && process.env.CI !== 'true', `${program} is not installed`)
      const markdown = await (await request.get(`/docs/api/${operation}.md`)).text()
      const form = new RegExp(`\`\`\`${language}\n([^]*?)\n\`\`\``).exec(markdown)?.[1]
      const file = path.join(workingDir, `${operation}.${language}`)
      mkdirSync(workingDir, { recursive: true })
      writeFileSync(file, form ?? '')
      const { url, key } = server()
      const env = { ...process.env, API: url, KEY: key }
      const ran = spawnSync(program, [...before, file], { env, encoding: 'utf8' })
      expect(ran.stderr).toBe('')
      expect(ran.stdout).toMatch(operation === 'list-cases' ? /has_more/ : /pat_[0-9a-z]{26}/)
    })
  }
}

test('reference: switching the language of a request needs no script', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    ...(baseURL && { baseURL }),
  })
  const page = await context.newPage()
  await page.goto('/docs/api/create-case')
  await expect(page.getByText('curl -sS', { exact: false })).toBeVisible()
  await page.getByText('Python', { exact: true }).click()
  await expect(page.getByText('urllib.request.urlopen', { exact: false })).toBeVisible()
  await expect(page.getByText('curl -sS', { exact: false })).toBeHidden()
  await context.close()
})

/** Requests to other hosts, and errors that a page reports. */
function faultsOf(page: Page, baseURL: string | undefined): string[] {
  const faults: string[] = []
  page.on('request', request => {
    const { origin } = new URL(request.url())
    if (origin !== baseURL) faults.push(request.url())
  })
  page.on('pageerror', error => faults.push(error.message))
  page.on('console', message => {
    if (message.type() !== 'log') faults.push(message.text())
  })
  return faults
}

const keyInput = (page: Page) => page.getByLabel('Test key')
const bodyInput = (page: Page) => page.getByRole('textbox', { name: 'Body' })
const send = (page: Page) => page.getByRole('button', { name: 'Send request' })
const answerOf = (page: Page) => page.locator('.try-answer')

test('try it: runs one operation after another by keyboard, with nothing to copy', async ({
  page,
  baseURL,
}) => {
  const faults = faultsOf(page, baseURL)
  await page.goto('/docs/api/create-patient')
  const open = page.locator('.try > summary')
  await open.focus()
  await page.keyboard.press('Enter')
  await expect(keyInput(page)).toHaveValue(server().key)
  await keyInput(page).focus()
  await page.keyboard.press('Enter')
  await expect(answerOf(page)).toContainText('201 Created')
  const patient = /pat_[0-9a-z]{26}/.exec(await answerOf(page).innerText())?.[0] ?? ''
  await page.getByText(/^Headers \(/).click()
  await expect(answerOf(page)).toContainText('ratelimit:')

  for (const kind of ['Telehealth', 'Privacy']) {
    await page.goto('/docs/api/record-consent#try')
    await expect(keyInput(page)).toHaveValue(server().key)
    await expect(page.getByLabel('id', { exact: true })).toHaveValue(patient)
    await page.getByLabel('Example').selectOption(kind)
    await send(page).press('Enter')
    await expect(answerOf(page)).toContainText('201 Created')
  }
  // Sends a request before the sandbox provides its key. The request waits for the key.
  let release = () => {}
  const sent = new Promise<void>(resolve => (release = resolve))
  await page.route('**/dev/sandbox', async route => {
    await sent
    await route.continue()
  })
  await page.goto('/docs/api/create-case#try')
  await expect(bodyInput(page)).toHaveValue(new RegExp(patient))
  await send(page).press('Enter')
  release()
  await expect(answerOf(page)).toContainText('201 Created')
  await expect(answerOf(page)).toContainText('"status": "queued"')
  expect(faults).toEqual([])
})

test('try it: the same request again is a replay, and a changed one is not', async ({ page }) => {
  await page.goto('/docs/api/create-patient#try')
  await expect(keyInput(page)).toHaveValue(server().key)
  const replayed = async () => {
    const answered = page.waitForResponse('**/v1/patients')
    await send(page).click()
    return (await answered).headers()['idempotent-replayed']
  }
  expect([await replayed(), await replayed()]).toEqual([undefined, 'true'])
  const body = bodyInput(page)
  await body.fill((await body.inputValue()).replace('Ada', 'Grace'))
  expect(await replayed()).toBeUndefined()
})

test('try it: a refusal says what to do, and a live key is neither sent nor kept', async ({
  page,
}) => {
  await page.goto('/docs/api/list-cases#try')
  await expect(keyInput(page)).toHaveValue(server().key)
  await page.getByText('Optional parameters').click()
  await page.getByLabel('limit').fill('1000')
  await send(page).click()
  await expect(answerOf(page)).toContainText('400 Bad Request')
  await expect(answerOf(page).getByRole('listitem')).toContainText('?limit')
  await expect(answerOf(page).getByRole('link')).toHaveAttribute(
    'href',
    '/problems/invalid_request',
  )

  const sent: string[] = []
  page.on('request', request => sent.push(request.url()))
  await keyInput(page).fill(server().key.replace('_test_', '_live_'))
  await send(page).click()
  await expect(answerOf(page)).toContainText('must be a test key')
  await expect(keyInput(page)).toBeFocused()
  expect(sent).toEqual([])
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('_live_')
})

test('try it: without scripts there is no form, and the request can be copied', async ({
  browser,
  baseURL,
}) => {
  const options = { javaScriptEnabled: false, ...(baseURL && { baseURL }) }
  const page = await (await browser.newContext(options)).newPage()
  await page.goto('/docs/api/create-patient')
  await expect(page.locator('.try')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Copy', exact: true })).toHaveCount(0)
  await expect(page.getByText('curl -sS', { exact: false })).toBeVisible()
  await page.getByText('6 fields of address').click()
  await expect(page.locator('[id="body.address.state"]')).toBeVisible()
  await page.context().close()
})

test('code: the language is chosen once, by keyboard, and its code is copied', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/docs/api/create-case')
  await page.getByRole('radio', { name: 'curl' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.goto('/docs/api/list-cases')
  const python = page.locator('.form-code:visible')
  await expect(python).toContainText('urllib.request.urlopen')
  await page.locator('.code-tabs').getByRole('button').focus()
  await page.keyboard.press('Enter')
  await expect(page.locator('.code-tabs').getByRole('button')).toHaveText('Copied')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toMatch(/^import json, os, urllib.request\n/)
  expect(copied).toMatch(/print\(json.load\(answer\)\)\n$/)
})

test.describe('code on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('each block has a name and a button, and scrolls', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/docs/quickstart')
    await page.getByText('On your machine', { exact: true }).tap()
    const blocks = page.locator('.code-block').filter({ visible: true })
    expect(await blocks.count()).toBeGreaterThan(5)
    await expect(blocks.getByRole('button')).toHaveCount(await blocks.count())
    await expect(blocks.first().locator('.code-head')).toContainText('Shell')
    await blocks.first().getByRole('button').tap()
    await expect(blocks.first().getByRole('button')).toHaveText('Copied')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('npm start\n')
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
    expect(widths[0]).toBe(widths[1])
    await page.goto('/docs/webhooks')
    await expect(page.locator('.code-head').filter({ hasText: 'verify.ts' })).toBeVisible()
  })

  test('try it works by touch', async ({ page }) => {
    await page.goto('/docs/api/get-organization')
    await page.locator('.try > summary').tap()
    await expect(keyInput(page)).toHaveValue(server().key)
    await send(page).tap()
    await expect(answerOf(page)).toContainText('200 OK')
  })
})

test.describe('code on a desktop', () => {
  test.use({ viewport: { width: 1440, height: 900 } })

  test('no line of the quickstart is wider than its block', async ({ page }) => {
    await page.goto('/docs/quickstart')
    await page.evaluate(() => document.fonts.ready)
    const code = await page.locator('pre.code').evaluateAll(all =>
      all.map(one => ({
        isWide: one.scrollWidth > one.clientWidth,
        size: getComputedStyle(one).fontSize,
      })),
    )
    expect(code.length).toBeGreaterThan(5)
    expect(code.filter(({ isWide }) => isWide)).toEqual([])
    expect(new Set(code.map(({ size }) => size))).toEqual(new Set(['13.5px']))
  })

  test('samples stay in sight next to the fields', async ({ page }) => {
    await page.goto('/docs/api/create-case')
    await page.locator('[id="body.hold"]').evaluate(row => row.scrollIntoView())
    await expect(page.getByRole('heading', { name: 'Request' })).toBeInViewport()
    const [fields, samples] = await Promise.all([
      page.locator('.column-rest').boundingBox(),
      page.locator('.column-samples').boundingBox(),
    ])
    expect(fields && samples && fields.x + fields.width <= samples.x).toBe(true)
  })
})
