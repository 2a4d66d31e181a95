// A clinician finds diagnosis codes for a note by keyboard. An unknown code prevents signing a note
// that differs from the one on the page.
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { call, consolePage, fileCase } from './clinic.ts'
import { admin } from './servers.ts'
import { openSignedIn } from './staff.ts'

const title = 'Type 2 diabetes mellitus without complications'

/** Fiscal years start on October 1. */
function fiscalYear(): number {
  const day = new Date().toLocaleDateString('en-US', { timeZone: 'America/New_York' })
  const [month = 0, , year = 0] = day.split('/').map(Number)
  return month >= 10 ? year + 1 : year
}

test.beforeAll(async () => {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'codes-')), 'icd10cm-codes.txt')
  const lines = ['E1165   Type 2 diabetes mellitus with hyperglycemia', `E119    ${title}`]
  await writeFile(file, `${lines.join('\n')}\n`)
  await admin('codes', 'load', file, `--year=${fiscalYear()}`)
})
// Removes the codes, because other tests' notes may have any code.
test.afterAll(() => admin('sql', 'delete from records.diagnosis_codes'))

test('codes can be found, chosen and stored by keyboard', async ({ browser }) => {
  const page = await openSignedIn(await browser.newContext(), 'clinician')
  const id = await fileCase('Coded')
  await page.goto(consolePage(`/cases/${id}`))
  await page.locator('main').focus()
  await page.keyboard.press('n')
  await page.keyboard.type('Assessment: stable.')
  const search = page.getByRole('combobox', { name: 'Find a code' })
  await search.focus()
  await page.keyboard.type('diab type 2')
  await expect(page.getByRole('option')).toHaveCount(2)
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option', { selected: true })).toContainText(`E11.9 ${title}`)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option')).toHaveCount(0)
  const codes = page.getByLabel('ICD-10-CM codes')
  await expect(codes).toHaveValue('E11.9')
  await expect(page.locator('ul.codes')).toContainText(`E11.9 ${title}`)

  // A draft that's saved while a code is being typed has the chosen code only.
  const saved = page.waitForRequest(one => (one.postData() ?? '').includes('again'))
  await page.getByRole('textbox', { name: 'Note', exact: true }).fill('Assessment: stable, again.')
  await codes.fill('E11.9, E11.7')
  expect(new URLSearchParams((await saved).postData() ?? '').get('codes')).toBe('E11.9')
  await expect(page.locator('[data-saved]')).toHaveText('Draft saved')
  await page.keyboard.press('Tab')
  // The text is saved even if a code is wrong.
  const status = page.locator('[data-saved]')
  await expect(status).toContainText(
    'Draft saved without the changed codes. E11.7 isn’t a billable',
  )
  await page.locator('main').focus()
  await page.keyboard.press('a')
  // Not "Sign and open next", which could open and release a case of this clinician's other tests.
  const sign = page.locator('.of-approve').getByRole('button', { name: 'Sign', exact: true })
  await sign.click()
  // The page shows the note and the reason instead of signing.
  await expect(page.locator('[data-saved]')).toBeVisible()
  const { body } = await call<{ status: string }>('GET', `/v1/cases/${id}`)
  expect(body.status).toBe('queued')
  await codes.fill('E11.9')
  await page.locator('main').focus()
  await page.keyboard.press('a')
  await sign.click()
  await page.waitForURL(url => url.searchParams.has('done'))
  await page.goto(consolePage(`/cases/${id}`))
  await expect(page.locator('.notes')).toContainText(`E11.9 ${title}`)
  await page.context().close()
})
