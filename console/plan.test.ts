// Tests signing a plan as the case page pre-fills it.
import { expect, test } from 'bun:test'
import { limits } from '#contract/limits.ts'
import { invokeOk, minoxidil, queuedCase, rivera } from '#clinical/testing/call.ts'
import { catalog } from '#clinical/medications/medication.ts'
import { submitWhole } from './testing/submit-whole.ts'
import { useConsolePages } from './testing/console.ts'

const pages = useConsolePages()
const states = [rivera.address.state]
const live = () => pages.fixtures.ada.live

/** Signs a new case's pre-filled plan with these changes, and returns the signed plan. */
async function signedPlan(medications: readonly string[], values: Record<string, string> = {}) {
  const { id } = await queuedCase(pages.fixtures, live(), {
    requested_medications: medications.map(medication_id => ({ medication_id })),
  })
  const { browser, home } = await pages.signIn({ states })
  await browser.get(`${home}/cases/${id}`)
  const { text } = await submitWhole(browser, `${home}/cases/${id}/approve`, values)
  expect([medications, text.includes('Plan signed.')]).toEqual([medications, true])
  const { plan } = await invokeOk(pages.fixtures, 'getCase', { as: live(), id })
  return plan.map((line: { medication_id: string; dispensable: boolean }) => [
    line.medication_id,
    line.dispensable,
  ])
}

test('every medication of the catalog, requested, can be signed as pre-filled', async () => {
  expect(catalog.some(({ dispensable }) => !dispensable)).toBe(true)
  for (let at = 0; at < catalog.length; at += limits.medicationsMax) {
    const requested = catalog.slice(at, at + limits.medicationsMax)
    expect(await signedPlan(requested.map(({ medication_id }) => medication_id))).toEqual(
      requested.map(({ medication_id, dispensable }) => [medication_id, dispensable]),
    )
  }
  expect(pages.failures).toEqual([])
})

test('an added medication that the pharmacy never fills is recorded without an order', async () => {
  const [first = ''] = catalog.map(({ medication_id }) => medication_id)
  const added = { line_1_medication_id: minoxidil, line_1_dispensable: '1' }
  expect(await signedPlan([first], added)).toEqual([
    [first, true],
    [minoxidil, false],
  ])
  expect(pages.failures).toEqual([])
})

test('a case offers four more medications, and shows the plan again without the unused ones', async () => {
  const { id } = await queuedCase(pages.fixtures, live())
  const { browser, home } = await pages.signIn({ states })
  const path = `${home}/cases/${id}`
  const linesIn = (text: string) =>
    [...text.matchAll(/<select id="line_(\d+)_medication_id"/g)].map(([, at]) => Number(at))
  const labelsIn = (text: string) => text.match(/<summary>Add a medication<\/summary>/g) ?? []
  const { text } = await browser.get(path)
  expect([linesIn(text), labelsIn(text).length]).toEqual([[0, 1, 2, 3, 4], 4])
  const added = { line_1_medication_id: minoxidil, line_2_quantity: '2', line_1_refills: 'x' }
  const refused = await submitWhole(browser, `${path}/approve`, added)
  expect(refused.status).toBe(400)
  expect(linesIn(refused.text)).toEqual([0, 1, 2, 3, 4, 5])
  expect(labelsIn(refused.text)).toHaveLength(4)
  // A requested medication that was removed stays removed.
  const none = await submitWhole(browser, `${path}/approve`, {
    line_0_medication_id: '',
    line_1_medication_id: '',
  })
  expect(none.status).toBe(400)
  expect(linesIn(none.text)).toEqual([0, 1, 2, 3, 4])
  expect(none.text).toMatch(/id="line_0_medication_id"[^>]*><option[^>]* selected[^>]*>None/)
})

test('a plan shown again counts as unsaved only if it differs from the request', async () => {
  const { id } = await queuedCase(pages.fixtures, live())
  const { browser, home } = await pages.signIn({ states, factorSeconds: 15 * 60 + 1 })
  const path = `${home}/cases/${id}`
  for (const [values, isUnsaved] of [
    [{}, false],
    [{ line_0_quantity: '2' }, true],
  ] as const) {
    await browser.get(path)
    const { status, text } = await submitWhole(browser, `${path}/approve`, values)
    const form = text.split('<form ').find(one => one.includes(`action="${path}/approve"`)) ?? ''
    const [tag = ''] = form.split('>')
    expect([status, tag.includes('data-unsaved')]).toEqual([403, isUnsaved])
  }
})
