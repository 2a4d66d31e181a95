// Tests that a refused form on a case fills only its own fields.
import { expect, test } from 'bun:test'
import { queuedCase, rivera } from '#clinical/testing/call.ts'
import { useConsolePages } from './testing/console.ts'

const pages = useConsolePages()
const states = [rivera.address.state]
const live = () => pages.fixtures.ada.live

const typed = 'Only the clinic’s staff may read this.'
/** The fields of all forms on a case, so each form is also sent with the other forms' fields. */
const everyField = {
  body: typed,
  reason: typed,
  question: typed,
  target: 'integration',
  line_0_medication_id: '',
  line_0_directions: typed,
}

/** The forms of a page, by the last part of their path. */
const formsOf = (html: string) =>
  new Map(
    html
      .split('<form ')
      .slice(1)
      .map(text => [/action="[^"]*\/([a-z]+)"/.exec(text)?.[1] ?? '', text.split('</form>')[0]]),
  )

test('the refused text of each form on a case appears in no other form', async () => {
  const { id } = await queuedCase(pages.fixtures, live())
  const colleague = await pages.signIn({ states })
  const path = `${colleague.home}/cases/${id}`
  await colleague.browser.get(path)
  await colleague.browser.submit(`${path}/note`, { body: 'Seen.', sign: '1' })
  await colleague.browser.submit(`${path}/unclaim`)
  const { browser } = await pages.signIn({ states, factorSeconds: 15 * 60 + 1 })
  const panels = [...formsOf((await browser.get(path)).text).keys()]
  const stale = { version: '2026-01-01T00:00:00.000Z' }
  for (const [form, values, status] of [
    ['approve', {}, 403],
    ['decline', {}, 403],
    ['note', { sign: '1' }, 403],
    ['addenda', {}, 403],
    ['question', stale, 409],
    ['messages', stale, 409],
  ] as const) {
    expect(panels).toContain(form)
    await browser.get(path)
    const refused = await browser.submit(`${path}/${form}`, { ...everyField, ...values })
    const filled = [...formsOf(refused.text)].filter(([, html]) => html?.includes(typed))
    expect([form, refused.status, filled.map(([name]) => name)]).toEqual([form, status, [form]])
    const asked = formsOf(refused.text).get('question')
    const target = /<option(?= [^>]*selected)[^>]* value="(\w+)"/.exec(asked ?? '')?.[1]
    expect([form, target]).toEqual([form, form === 'question' ? 'integration' : 'patient'])
  }
  expect(pages.failures).toEqual([])
})
