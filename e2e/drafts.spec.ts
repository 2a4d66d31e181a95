// A note's draft that can't be saved: the page says why, and the text isn't lost.
import { expect, type Page, test } from '@playwright/test'
import { call, consolePage, fileCase } from './clinic.ts'
import { signIn } from './staff.ts'

/** A new case's page with its note open. */
async function openNote(page: Page, familyName: string) {
  const id = await fileCase(familyName)
  await page.goto(consolePage(`/cases/${id}`))
  await page.locator('main').focus()
  await page.keyboard.press('n')
  const note = page.getByRole('textbox', { name: 'Note', exact: true })
  const sign = async () => {
    await page.locator('main').focus()
    await page.keyboard.press('a')
    await page.locator('.of-approve').getByRole('button', { name: 'Sign', exact: true }).click()
  }
  return { id, note, sign }
}

test('a draft is saved once the connection is back, and kept when the session has ended', async ({
  browser,
}) => {
  const context = await browser.newContext()
  const page = await signIn(context, 'clinician')
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
  await sign()
  await expect(page.getByRole('link', { name: 'Confirm in a new tab' })).toBeVisible()
  await context.addCookies(session)
  await page.getByRole('button', { name: 'Continue with my entries' }).click()
  await expect(note).toHaveValue('Assessment: stable. Plan: as before.')
  const { body } = await call<{ status: string }>('GET', `/v1/cases/${id}`)
  expect(body.status).not.toBe('approved')
  await context.close()
})

test('a decision waits for the save that is on its way, and for text typed meanwhile', async ({
  browser,
}) => {
  const page = await signIn(await browser.newContext(), 'clinician')
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
