// A note's draft that can't be saved: the page says why, and the text isn't lost.
import { expect, type Page, test } from '@playwright/test'
import { call, consolePage, fileCase } from './clinic.ts'
import { openSignedIn } from './staff.ts'

/** Leaves the page, expects the question whether to leave it, and stays. */
async function leaveAndStay(page: Page, leave: () => Promise<void>) {
  const asked = page.waitForEvent('dialog')
  const left = leave()
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  await left
}

const toPatients = (page: Page) => page.getByRole('link', { name: 'Patients', exact: true }).click()

/** A new case's page with its note open. */
async function openNote(page: Page, familyName: string) {
  const id = await fileCase(familyName)
  const open = async () => {
    await page.goto(consolePage(`/cases/${id}`))
    await page.locator('main').focus()
    await page.keyboard.press('n')
  }
  await open()
  const note = page.getByRole('textbox', { name: 'Note', exact: true })
  const sign = async () => {
    await page.locator('main').focus()
    await page.keyboard.press('a')
    await page.locator('.of-approve').getByRole('button', { name: 'Sign', exact: true }).click()
  }
  return { id, note, open, sign }
}

test('a draft is saved once the connection is back, and kept when the session has ended', async ({
  browser,
}) => {
  const context = await browser.newContext()
  const page = await openSignedIn(context, 'clinician')
  const { id, note, sign } = await openNote(page, 'Cut')
  const status = page.locator('[data-saved]')

  await context.setOffline(true)
  await note.fill('Assessment: stable.')
  await expect(status).toHaveText('Draft not saved. Check your connection.')
  // No decision is sent while its note isn't saved.
  await sign()
  await expect(note).toBeVisible()
  await context.setOffline(false)
  await expect(status).toHaveText('Draft saved')

  const isSession = ({ name }: { name: string }) => name === 'console_session'
  const session = (await context.cookies()).filter(isSession)
  expect(session).toHaveLength(1)
  await context.clearCookies({ name: 'console_session' })
  await note.fill('Assessment: stable. Plan: as before.')
  await expect(status).toHaveText('Draft not saved. Confirm it’s you')
  await expect(page.getByRole('button', { name: 'Confirm it’s you' })).toBeVisible()
  const dialogs: string[] = []
  page.on('dialog', dialog => {
    dialogs.push(dialog.type())
    void dialog.accept()
  })
  await sign()
  await expect(page.getByRole('link', { name: 'Confirm in a new tab' })).toBeVisible()
  await context.addCookies(session)
  await page.getByRole('button', { name: 'Continue with my entries' }).click()
  await expect(note).toHaveValue('Assessment: stable. Plan: as before.')
  expect(dialogs).toEqual([])
  const { body } = await call<{ status: string }>('GET', `/v1/cases/${id}`)
  expect(body.status).not.toBe('approved')
  // The decision signs the text that's shown.
  await sign()
  await page.waitForURL(url => url.searchParams.has('done'))
  await page.goto(consolePage(`/cases/${id}`))
  await expect(page.locator('.notes')).toContainText('Assessment: stable. Plan: as before.')
  await context.close()
})

test('a decision waits for the save that is on its way, and for text typed meanwhile', async ({
  browser,
}) => {
  const page = await openSignedIn(await browser.newContext(), 'clinician')
  for (const [name, later] of [
    ['Sent', ''],
    ['Slow', ' Second.'],
  ] as const) {
    const { id, note, sign } = await openNote(page, name)
    const saves: string[] = []
    let release = () => {}
    const released = new Promise<void>(resolve => (release = resolve))
    await page.route(/\/note$/, async route => {
      saves.push(new URLSearchParams(route.request().postData() ?? '').get('body') ?? '')
      if (saves.length === 1) await released
      await route.continue()
    })
    await note.fill('First.')
    // Leaving the field is its last event.
    await note.blur()
    await expect.poll(() => saves).toEqual(['First.'])
    if (later !== '') await note.fill(`First.${later}`)
    await sign()
    expect(saves).toEqual(['First.'])
    release()
    await page.waitForURL(url => url.searchParams.has('done'))
    await page.goto(consolePage(`/cases/${id}`))
    await expect(page.locator('.notes')).toContainText(`First.${later}`)
    await page.unrouteAll()
  }
  await page.context().close()
})

test('leaving a page saves the text typed last, and asks first if it can’t be saved', async ({
  browser,
}) => {
  const page = await openSignedIn(await browser.newContext(), 'clinician')
  await page.clock.install()
  const { note, open } = await openNote(page, 'Leaving')
  const status = page.locator('[data-saved]')
  const leave = () => toPatients(page)

  await page.route(/\/note$/, route => route.abort())
  await note.fill('Not stored anywhere.')
  await expect(status).toHaveText(/^Draft not saved/)
  await leaveAndStay(page, leave)
  await expect(note).toHaveValue('Not stored anywhere.')
  await page.unrouteAll()
  await expect(status).toHaveText('Draft saved')

  await page.locator('main').focus()
  await page.keyboard.press('m')
  const message = page.getByRole('textbox', { name: 'Message', exact: true })
  await message.fill('Not sent.')
  await leaveAndStay(page, leave)
  await expect(message).toHaveValue('Not sent.')
  // Extending the case opens its page again.
  await leaveAndStay(page, () => page.getByRole('button', { name: 'Start review' }).click())
  await expect(message).toHaveValue('Not sent.')
  await message.fill('')
  const claims: string[] = []
  page.on('request', request => {
    if (request.method() === 'POST' && request.url().endsWith('/claim')) claims.push(request.url())
  })
  await page.getByRole('button', { name: 'Start review' }).dblclick()
  await expect(page.getByText('Assigned to you until')).toBeVisible()
  expect(claims).toHaveLength(1)
  await page.locator('main').focus()
  await page.keyboard.press('n')

  // Enter in a field saves the draft; only its button signs it. diagnosis-codes.spec.ts may have
  // loaded a list of codes, which has this one.
  await page.getByLabel('ICD-10-CM codes').fill('E11.9')
  await page.getByLabel('ICD-10-CM codes').press('Enter')
  await page.waitForURL(url => url.searchParams.get('done') === 'saved')
  await expect(page.locator('.notes')).toHaveCount(0)
  await open()

  // From here on, no timer saves the draft.
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await note.fill('Typed last.')
  await leave()
  await page.waitForURL(consolePage('/patients'))
  await expect(async () => {
    await open()
    await expect(note).toHaveValue('Typed last.', { timeout: 5000 })
  }).toPass()
  await page.context().close()
})

test('leaving a page asks about text that was shown again after sign-in, until it’s sent', async ({
  browser,
}) => {
  const context = await browser.newContext()
  const page = await openSignedIn(context, 'clinician')
  const id = await fileCase('Again')
  await page.goto(consolePage(`/cases/${id}`))
  await page.locator('main').focus()
  await page.keyboard.press('m')
  const message = page.getByRole('textbox', { name: 'Message', exact: true })
  await message.fill('Not sent yet.')
  const session = (await context.cookies()).filter(({ name }) => name === 'console_session')
  await context.clearCookies({ name: 'console_session' })
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByRole('link', { name: 'Confirm in a new tab' })).toBeVisible()
  await context.addCookies(session)
  await page.getByRole('button', { name: 'Continue with my entries' }).click()
  await expect(message).toHaveValue('Not sent yet.')
  await leaveAndStay(page, () => toPatients(page))
  await expect(message).toHaveValue('Not sent yet.')
  const dialogs: string[] = []
  page.on('dialog', dialog => {
    dialogs.push(dialog.type())
    void dialog.accept()
  })
  await page.getByRole('button', { name: 'Send message' }).click()
  await page.waitForURL(url => url.searchParams.get('done') === 'written')
  await toPatients(page)
  await page.waitForURL(consolePage('/patients'))
  expect(dialogs).toEqual([])
  await context.close()
})

test('a note changed in another window is neither overwritten nor signed, and no text is lost', async ({
  browser,
}) => {
  const context = await browser.newContext()
  const page = await openSignedIn(context, 'clinician')
  const { id, note } = await openNote(page, 'Windows')
  const status = page.locator('[data-saved]')
  await note.fill('First window.')
  await expect(status).toHaveText('Draft saved')
  const other = await context.newPage()
  await other.goto(consolePage(`/cases/${id}`))
  await other.locator('main').focus()
  await other.keyboard.press('n')
  const otherNote = other.getByRole('textbox', { name: 'Note', exact: true })
  await expect(otherNote).toHaveValue('First window.')
  const saved = page.waitForResponse(/\/note$/)
  await note.fill('First window, continued.')
  await saved

  await otherNote.fill('Second window.')
  const otherStatus = other.locator('[data-saved]')
  await expect(otherStatus).toContainText('This note was changed in another window.')
  await other.locator('main').focus()
  await other.keyboard.press('a')
  await other.locator('.of-approve').getByRole('button', { name: 'Sign', exact: true }).click()
  await expect(otherNote).toHaveValue('Second window.')
  await leaveAndStay(other, () => toPatients(other))
  await other.getByRole('button', { name: 'Compare' }).click()
  await expect(other.locator('[data-changed]')).toContainText('First window, continued.')
  await expect(otherNote).toHaveValue('Second window.')
  await otherNote.fill('Both windows.')
  await otherNote.blur()
  await other.getByRole('button', { name: 'Sign note' }).click()
  await other.waitForURL(url => url.searchParams.get('done') === 'noted')

  await note.fill('First window, late.')
  await expect(status).toContainText('This note was changed in another window.')
  await page.getByRole('button', { name: 'Compare' }).click()
  await expect(page.locator('[data-changed]')).toContainText('You signed this note')
  await expect(page.locator('.notes > li')).toHaveCount(1)
  await expect(page.locator('.notes')).toContainText('Both windows.')
  await context.close()
})

test('text typed after a save whose response is lost or late is saved', async ({ browser }) => {
  const page = await openSignedIn(await browser.newContext(), 'clinician')
  const { note, open } = await openNote(page, 'Lost')
  const status = page.locator('[data-saved]')
  await page.route(/\/note$/, async route => {
    await route.fetch()
    await route.abort()
  })
  await note.fill('First.')
  await expect(status).toHaveText('Draft not saved. Check your connection.')
  await note.fill('First. Second.')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await expect(status).toHaveText('Draft saved')

  let stored = false
  await page.route(/\/note$/, async route => {
    await route.fetch()
    stored = true
  })
  await note.fill('First. Second. Third.')
  await note.blur()
  await expect.poll(() => stored).toBe(true)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await note.fill('First. Second. Third. Fourth.')
  await toPatients(page)
  await page.waitForURL(consolePage('/patients'))
  await expect(async () => {
    await open()
    await expect(note).toHaveValue('First. Second. Third. Fourth.', { timeout: 5000 })
  }).toPass()
  await page.context().close()
})
