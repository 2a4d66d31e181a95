// Tests the destinations pages, in a browser without scripts, over the API and its database.
import { beforeEach, expect, test } from 'bun:test'
import { destinationKinds } from '#contract/preview/destinations.ts'
import { invokeOk } from '#clinical/testing/call.ts'
import { clearEndpoints } from '#clinical/testing/valid-calls.ts'
import { usePortal } from '../../testing/portal.ts'

const portal = usePortal()
beforeEach(() => clearEndpoints(portal.fixtures))

const values = {
  kind: 'sqs',
  region: 'us-east-1',
  account: '123456789012',
  queue: 'events',
  access_key_id: 'EXAMPLEACCESSKEYID',
  secret_access_key: 'the-secret-access-key',
  event_types: 'order.shipped.v1',
}
const destinations = async () => (await invokeOk(portal.fixtures, 'listDestinations', {})).data
const url = 'https://sqs.us-east-1.amazonaws.com/123456789012/events'

test('a destination is created from the form of its kind, and no page shows its secret', async () => {
  const { browser, home } = await portal.signIn()
  const path = `${home}/test/destinations/new`
  const choice = await browser.get(path)
  for (const kind of destinationKinds) expect(choice.text).toContain(`?kind=${kind}`)
  await browser.get(`${path}?kind=sqs`)
  const wrong = await browser.submit(path, { ...values, region: 'nowhere' })
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain('This must be an AWS region')
  expect(wrong.text).not.toContain(values.secret_access_key)
  await browser.submit(path, values)
  const [made, ...others] = await destinations()
  expect(others).toEqual([])
  expect(made).toMatchObject({ url, kind: 'sqs', event_types: ['order.shipped.v1'] })
  for (const page of ['', `/${made.id}`, `/${made.id}/edit`, `/${made.id}/replays`]) {
    const shown = await browser.get(`${home}/test/webhooks${page}`)
    expect([page, shown.status]).toEqual([page, 200])
    expect(shown.text).toContain(page.endsWith('/edit') ? '123456789012' : url)
    expect(shown.text).not.toContain(values.secret_access_key)
  }
  expect((await browser.get(`${home}/test/webhooks/${made.id}`)).text).toContain('Amazon SQS')
})

test('a refused form never shows the private key again', async () => {
  const { browser, home } = await portal.signIn()
  const path = `${home}/test/destinations/new`
  await browser.get(`${path}?kind=pubsub`)
  const page = await browser.submit(path, { private_key: 'A key\nof two lines', project: '' })
  expect(page.status).toBe(422)
  expect(page.text).not.toContain('A key')
})

test('an edit without a secret keeps the settings, and one with a new secret replaces them', async () => {
  const { kind: _, event_types, ...sqs } = values
  const body = { sqs, event_types: [event_types] }
  const { id } = await invokeOk(portal.fixtures, 'createDestination', { body })
  const { browser, home } = await portal.signIn()
  const path = `${home}/test/webhooks/${id}/edit`
  const save = async (changed: Partial<typeof values> & { description?: string }) => {
    await browser.get(path)
    return browser.submit(path, { ...values, ...changed })
  }
  await save({ secret_access_key: '', description: 'A' })
  expect((await destinations())[0]).toMatchObject({ url, description: 'A' })
  for (const setting of ['region', 'account', 'queue', 'access_key_id']) {
    const refused = await save({ [setting]: 'others', secret_access_key: '', description: 'B' })
    expect([setting, refused.status]).toEqual([setting, 422])
    expect(refused.text).toContain('id="secret_access_key-fault"')
    // The form keeps what was entered.
    expect(refused.text).toContain('value="others"')
  }
  expect((await destinations())[0]).toMatchObject({ url, description: 'A' })
  await save({ queue: 'others' })
  expect((await destinations())[0]).toMatchObject({ sqs: { queue: 'others' } })
})

test('a destination is disabled, enabled and deleted on its page', async () => {
  const { kind: _, event_types, ...sqs } = values
  const body = { sqs, event_types: [event_types] }
  const { id } = await invokeOk(portal.fixtures, 'createDestination', { body })
  const { browser, home } = await portal.signIn()
  const page = `${home}/test/webhooks/${id}`
  const send = async (action: string) => {
    await browser.get(page)
    await browser.submit(`${page}/${action}`, {})
    return (await destinations())[0]?.status
  }
  expect(await send('disable')).toBe('disabled')
  expect(await send('enable')).toBe('enabled')
  expect(await send('delete')).toBeUndefined()
})
