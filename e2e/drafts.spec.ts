// A note's draft that can't be saved: the page says why, and the text isn't lost.
import { expect, test } from '@playwright/test'
import { call, consolePage, fileCase } from './clinic.ts'
import { signIn } from './staff.ts'

test('a draft is saved once the connection is back, and kept when the session has ended', async ({
  browser,
}) => {
  const context = await browser.newContext()
  const page = await signIn(context, 'clinician')
  const id = await fileCase('Cut')
  await page.goto(consolePage(`/cases/${id}`))
  await page.locator('main').focus()
  await page.keyboard.press('n')
  const note = page.getByRole('textbox', { name: 'Note', exact: true })
  const status = page.locator('[data-saved]')

  await context.setOffline(true)
  await note.fill('Assessment: stable.')
  await expect(status).toHaveText('Draft not saved. Check your connection.')
  // No decision is sent while its note isn't saved.
  const sign = page.locator('.of-approve').getByRole('button', { name: 'Sign', exact: true })
  await page.locator('main').focus()
  await page.keyboard.press('a')
  await sign.click()
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
  await page.locator('main').focus()
  await page.keyboard.press('a')
  await sign.click()
  await expect(page.getByRole('link', { name: 'Confirm in a new tab' })).toBeVisible()
  await context.addCookies(session)
  await page.getByRole('button', { name: 'Continue with my entries' }).click()
  await expect(note).toHaveValue('Assessment: stable. Plan: as before.')
  const { body } = await call<{ status: string }>('GET', `/v1/cases/${id}`)
  expect(body.status).not.toBe('approved')
  await context.close()
})

test('text that is typed while a slow save is on its way is stored after it', async ({
  browser,
}) => {
  const context = await browser.newContext()
  const page = await signIn(context, 'clinician')
  const id = await fileCase('Slow')
  await page.goto(consolePage(`/cases/${id}`))
  const saves: string[] = []
  let goOn = () => {}
  const slow = new Promise<void>(resolve => (goOn = resolve))
  await page.route(/\/note$/, async route => {
    saves.push(new URLSearchParams(route.request().postData() ?? '').get('body') ?? '')
    if (saves.length === 1) await slow
    await route.continue()
  })
  await page.locator('main').focus()
  await page.keyboard.press('n')
  const note = page.getByRole('textbox', { name: 'Note', exact: true })
  await note.fill('First.')
  await expect.poll(() => saves).toEqual(['First.'])
  await note.fill('First. Second.')
  // A decision's own save waits, too.
  await page.locator('main').focus()
  await page.keyboard.press('a')
  await page.locator('.of-approve').getByRole('button', { name: 'Sign', exact: true }).click()
  expect(saves).toEqual(['First.'])
  goOn()
  await page.waitForURL(url => url.searchParams.has('done'))
  await page.goto(consolePage(`/cases/${id}`))
  await expect(page.locator('.notes')).toContainText('First. Second.')
  await context.close()
})
