// Tests that a case page offers exactly what the API allows, in every state.
import { afterEach, describe, expect, test } from 'bun:test'
import { invoke, invokeOk } from '#clinical/testing/call.ts'
import { synthetic } from '../../synthetic.ts'
import { statusText } from '#http/html/status-text.ts'
import { usePortal } from '../../testing/portal.ts'
import { caseMoves } from './moves.ts'

const portal = usePortal()
afterEach(() => expect(portal.failures).toEqual([]))

const names = Object.keys(caseMoves)
const fields: Readonly<Record<string, string>> = {
  decline_reason: 'Not now.',
  block_reason: 'Out of stock.',
  cancel_reason: '',
  withdraw_reason: 'Changed my mind.',
  target: 'patient',
  question: 'Since when?',
  message: 'Hello.',
  carrier: 'ups',
  tracking: '1Z999AA10123456784',
  answer: 'Since May.',
}

async function move(id: string, name: string) {
  const found = caseMoves[name]
  if (found === undefined) throw new Error(`no move ${name}`)
  const body = found.body(field => fields[field] ?? '')
  return invoke(portal.fixtures, found.operation, { id, body })
}

async function fileCase(hold: boolean): Promise<string> {
  const { id: patient } = await invokeOk(portal.fixtures, 'createPatient', {
    body: synthetic.patient,
  })
  const consents: string[] = []
  for (const kind of ['telehealth', 'privacy'] as const) {
    const body = synthetic.consent(kind)
    consents.push((await invokeOk(portal.fixtures, 'recordConsent', { id: patient, body })).id)
  }
  const body = { ...synthetic.case(patient, consents), hold }
  return (await invokeOk(portal.fixtures, 'createCase', { body })).id
}

/** The moves that lead to each state; the first is how the case is filed. */
const ways = [
  ['held'],
  ['queued'],
  ['queued', 'ask'],
  ['queued', 'ask', 'answer'],
  ['queued', 'approve'],
  ['queued', 'approve', 'block'],
  ['queued', 'approve', 'ship'],
  ['queued', 'approve', 'ship', 'deliver'],
  ['queued', 'approve', 'fail'],
  ['queued', 'decline'],
  ['queued', 'cancel'],
  ['queued', 'withdraw'],
] as const

async function caseAfter([filed, ...moves]: (typeof ways)[number]): Promise<string> {
  const id = await fileCase(filed === 'held')
  for (const name of moves) expect([name, (await move(id, name)).code]).toEqual([name, null])
  return id
}

const offeredBy = (text: string) =>
  [...text.matchAll(/name="move" value="(\w+)"/g)].map(([, name = '']) => name)

describe.each(ways.map(way => [way.join(', '), way] as const))('after %s', (_name, way) => {
  test('every move is offered or refused', async () => {
    const { browser, home } = await portal.signIn()
    const first = await caseAfter(way)
    const { text, status } = await browser.get(`${home}/test/sandbox/cases/${first}`)
    expect(status).toBe(200)
    const offered = offeredBy(text)
    for (const name of names) {
      const { code } = await move(await caseAfter(way), name)
      expect([name, code]).toEqual([name, offered.includes(name) ? null : 'invalid_transition'])
    }
  })
})

test('each offered move works through its form', async () => {
  const { browser, home } = await portal.signIn({ role: 'developer' })
  const id = await fileCase(true)
  const path = `${home}/test/sandbox/cases/${id}`
  await browser.get(path)
  for (const [name, state] of [
    ['release', 'queued'],
    ['ask', 'waiting_on_patient'],
    ['answer', 'in_review'],
    ['approve', 'approved'],
    ['block', 'blocked'],
    ['ship', 'shipped'],
    ['deliver', 'delivered'],
  ] as const) {
    const page = await browser.submit(path, { ...fields, move: name })
    expect([name, page.status, page.url]).toEqual([name, 200, path])
    expect(page.text).toContain(`>${statusText(state)}</span>`)
  }
  expect(browser.page.text).toContain('order.delivered.v1')
  expect(browser.page.text).not.toContain('Since May')
})

test('an invalid field is named in its form, which keeps the typed text', async () => {
  const { browser, home } = await portal.signIn()
  const id = await fileCase(false)
  const path = `${home}/test/sandbox/cases/${id}`
  await browser.get(path)
  const page = await browser.submit(path, { move: 'ask', target: 'integration', question: '' })
  expect(page.status).toBe(400)
  expect(page.text).toContain('id="question-fault"')
  expect(page.text).toContain('<option value="integration" selected')
  expect(page.text).toMatch(/id="move-\w+" checked/)
})

test('a late move is refused with an explanation', async () => {
  const { browser, home } = await portal.signIn()
  const id = await fileCase(false)
  const path = `${home}/test/sandbox/cases/${id}`
  await browser.get(path)
  await invokeOk(portal.fixtures, 'withdrawCase', { id, body: {} })
  const page = await browser.submit(path, { move: 'approve' })
  expect(page.status).toBe(409)
  expect(page.text).toContain('The status of this case is withdrawn.')
  expect(offeredBy(page.text)).toEqual([])
})

test('a viewer sees the status and is offered no moves', async () => {
  const { browser, home } = await portal.signIn({ role: 'viewer' })
  const id = await fileCase(false)
  const { text } = await browser.get(`${home}/test/sandbox/cases/${id}`)
  expect(text).toContain('Queued')
  expect(offeredBy(text)).toEqual([])
})

test('re-consent can be tested with buttons: publish, refused, record, filed', async () => {
  await invokeOk(portal.fixtures, 'resetSandbox', { body: {} })
  const { browser, home } = await portal.signIn({ role: 'developer' })
  const sandbox = `${home}/test/sandbox`
  await browser.get(sandbox)
  const { url } = await browser.submit(`${sandbox}/loop`)
  await browser.get(sandbox)
  const blank = await browser.submit(`${sandbox}/consents`, { kind: 'privacy', version: ' ' })
  expect(blank.status).toBe(400)
  const published = await browser.submit(`${sandbox}/consents`, {
    kind: 'privacy',
    version: '2026-11-01',
  })
  expect(published.text).toContain('Version published')
  expect((await browser.get(url)).text).toContain('Superseded')
  const refused = await browser.submit(`${url}/consents`, { step: 'file' })
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('privacy consent')])
  const renewed = await browser.submit(`${url}/consents`, { step: 'record' })
  expect(renewed.text).toContain('Consent recorded')
  expect(renewed.text).not.toContain('Record new consent')
  const filed = await browser.submit(`${url}/consents`, { step: 'file' })
  expect(filed.url).not.toBe(url)
  expect(filed.text).toContain('case.queued.v1')
  // A case filed afterward with one click has valid consents.
  await browser.get(sandbox)
  expect((await browser.submit(`${sandbox}/loop`)).text).toContain('case.queued.v1')
  await browser.get(sandbox)
  await browser.submit(`${sandbox}/consents`, { kind: 'privacy', withdraw: 'true' })
  const versions = await invokeOk(portal.fixtures, 'getConsentVersions')
  expect(versions).toEqual({ telehealth: null, privacy: null })
})
