// Uses credentials without one scope, by REST, as a tool, as a repeated request and by webhook. No
// operation may return a value from a resource that the credential can't read directly.

import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { type CallableId, callable, callableIds, type LoggedId } from '#contract/callable.ts'
import { fhirIds } from '#contract/fhir/operations.ts'
import { type EventResource, eventTypes, resourceOf, scopeOfResource } from '#contract/events.ts'
import { isWrite } from '#contract/operation.ts'
import { allScopes, type Scope } from '#contract/scopes.ts'
import { clinicalTools } from '#contract/tools/tools.ts'
import { openTestWorker } from '#clinical/deliveries/engine/testing/worker.ts'
import { type CallOptions, invoke, invokeOk, rivera } from '#clinical/testing/call.ts'
import { endpoint, validCalls } from '#clinical/testing/valid-calls.ts'
import { openReceiver } from '#http/testing/receiver.ts'
import { openFixtures, type Fixtures } from '#clinical/testing/fixtures.ts'
import { argumentsOf, type ClinicalTools, openClinicalTools } from './testing/clinical-tools.ts'

let fixtures: Fixtures
let tools: ClinicalTools
const without = new Map<Scope, string>()
/** All scopes that protect resources' values. */
const readScopes = [...new Set(Object.values(scopeOfResource))]
beforeAll(async () => {
  fixtures = await openFixtures({ allowed: ['127.0.0.1'] })
  tools = await openClinicalTools({ beside: fixtures })
  for (const scope of readScopes)
    without.set(scope, await tools.keyWith(allScopes.filter(one => one !== scope)))
})
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))
afterAll(async () => {
  await tools.close()
  await fixtures.close()
})

const isTime = (text: string) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)

/** All values except short texts, IDs and words from the contract. A time is followed by the ID of
 *  its object, because unrelated writes can have the same time. */
function valuesIn(json: unknown, found = new Set<string>(), object = ''): Set<string> {
  if (typeof json === 'string') {
    if (json.length > 4 && !/^(?:[a-z_.]+|[a-z]+_[0-7][0-9a-z]{25})$/.test(json))
      found.add(isTime(json) ? `${json}\n${object}` : json)
  } else if (typeof json === 'object' && json !== null) {
    const id = 'id' in json ? String(json.id) : object
    for (const one of Object.values(json)) valuesIn(one, found, id)
  }
  return found
}

const withoutObject = (value: string) => {
  const [text = ''] = value.split('\n', 1)
  return isTime(text) ? text : value
}

type Item = { id: string; resource: { type: EventResource; id: string }; data?: object }

/** All of the tenant's events, with their resources' current state. */
async function everything(): Promise<Item[]> {
  const all: Item[] = []
  let hasMore = true
  while (hasMore) {
    const after = all.length > 0 ? { starting_after: all.at(-1)?.id ?? '' } : {}
    const query = { include_resource: 'true', limit: '100', ...after }
    const { data, has_more } = await invokeOk(fixtures, 'listEvents', { query })
    all.push(...data)
    hasMore = has_more
  }
  return all
}

/** The values that only one scope gives access to, by scope. */
async function secrets(): Promise<ReadonlyMap<Scope, Set<string>>> {
  const shown = new Map(readScopes.map(scope => [scope, new Set<string>()]))
  const everyone = valuesIn(await invokeOk(fixtures, 'listMedications'))
  const add = async (scope: Scope, id: CallableId, options: CallOptions = {}) =>
    void valuesIn(await invokeOk(fixtures, id, options), shown.get(scope))
  const cases = new Set<string>()
  for (const { resource, data, ...envelope } of await everything()) {
    valuesIn(data, shown.get(scopeOfResource[resource.type]))
    valuesIn(envelope, everyone)
    if (resource.type === 'case') cases.add(resource.id)
  }
  for (const id of cases) await add('cases:read', 'listMessages', { id })
  await add('webhooks:manage', 'listWebhookEndpoints')
  await add('webhooks:manage', 'listDestinations')
  await add('billing:read', 'getUsage')
  await add('cases:read', 'getMetrics', { query: { metric: 'approval_share' } })
  const others = (scope: Scope) =>
    [...shown].filter(([one]) => one !== scope).reduce((all, [, one]) => all.union(one), everyone)
  return new Map([...shown].map(([scope, own]) => [scope, own.difference(others(scope))]))
}

/** Values that were returned without the scope they require, unless the request had sent them. */
function leakedOf(scope: Scope, secret: ReadonlyMap<Scope, Set<string>>, shown: FieldSets) {
  const sent = new Set([...shown.sent].map(withoutObject))
  const returned = (secret.get(scope) ?? new Set()).intersection(shown.got)
  return [...returned].filter(one => !sent.has(withoutObject(one)))
}

type FieldSets = { got: Set<string>; sent: Set<string> }
let count = 0

/** Sends requests by REST and as tool calls. */
async function ask(id: LoggedId, options: CallOptions, scope: Scope, { got, sent }: FieldSets) {
  const as = without.get(scope) ?? ''
  const { body } = await invoke(fixtures, id, { ...options, as })
  valuesIn(body, got)
  valuesIn(options, sent)
  const tool = clinicalTools.find(one => one.operationId === id)
  if (!tool) return
  const asked = { name: tool.name, arguments: argumentsOf(tool, options) }
  const { body: answered } = await tools.ask('tools/call', asked, { as })
  valuesIn(answered.result?.structuredContent, got)
  valuesIn(JSON.parse(answered.result?.content[0].text ?? 'null'), got)
}

const prepare = async (id: CallableId): Promise<CallOptions> => ({
  ...(await validCalls[id](fixtures, fixtures.ada.test)),
  key: isWrite(callable[id]) ? `scopes-${count++}` : null,
})

test.each(callableIds.filter(id => id !== 'resetSandbox'))('%s', async id => {
  await invokeOk(fixtures, 'resetSandbox')
  const shown = new Map(
    readScopes.map(scope => [scope, { got: new Set<string>(), sent: new Set<string>() }]),
  )
  // Repeats a request that a credential with all scopes sent, with the same key for a write.
  const first = await prepare(id)
  await invokeOk(fixtures, id, first)
  for (const [scope, one] of shown) await ask(id, first, scope, one)
  if (isWrite(callable[id]))
    for (const [scope, one] of shown) await ask(id, await prepare(id), scope, one)
  const secret = await secrets()
  for (const [scope, one] of shown)
    expect([scope, ...leakedOf(scope, secret, one)]).toEqual([scope])
})

test('fhir: everything about a patient, and each search', async () => {
  await invokeOk(fixtures, 'resetSandbox')
  for (const id of ['completeVisit', 'shipCase', 'confirmFile', 'recordConsent'] as const)
    await prepare(id)
  const secret = await secrets()
  const { data } = await invokeOk(fixtures, 'listPatients')
  let read = 0
  for (const id of fhirIds.filter(one => !one.startsWith('read') || one.endsWith('Everything')))
    for (const scope of readScopes) {
      const shown = { got: new Set<string>(), sent: new Set<string>() }
      for (const patient of data) await ask(id, { id: patient.id }, scope, shown)
      read += shown.got.size
      expect([id, scope, ...leakedOf(scope, secret, shown)]).toEqual([id, scope])
    }
  expect(read).toBeGreaterThan(100)
})

test('a key that may write but not read patients gets the IDs of its writes', async () => {
  const as = await tools.keyWith(['patients:write'])
  const { id } = await invokeOk(fixtures, 'createPatient', { body: rivera })
  const change = { id, body: { first_name: 'Grace' }, key: 'changed-by-another' }
  await invokeOk(fixtures, 'updatePatient', change)
  expect(await invokeOk(fixtures, 'updatePatient', { as, id, body: {} })).toEqual({ id })
  const again = await invokeOk(fixtures, 'updatePatient', { as, ...change })
  expect(again).toEqual({ id, first_name: 'Grace' })
  const made = await invokeOk(fixtures, 'createPatient', { as, body: rivera })
  expect(made).toEqual({ id: made.id, ...rivera })
})

test('webhooks', async () => {
  await invokeOk(fixtures, 'resetSandbox')
  for (const id of ['completeVisit', 'shipCase', 'confirmFile', 'recordConsent'] as const)
    await prepare(id)
  const newest = new Map((await everything()).map(one => [one.resource.type, one.id]))
  expect(newest.size).toBeGreaterThan(5)
  const receiver = openReceiver(() => new Response('thanks'))
  const worker = await openTestWorker(fixtures)
  const secret = await secrets()
  let sent = 0
  for (const [scope, as] of without) {
    const event_types = eventTypes.filter(type => scopeOfResource[resourceOf(type)] !== scope)
    const body = {
      ...endpoint,
      url: receiver.url(`/${scope}`),
      event_types,
      include_resource: true,
    }
    const made = await invoke(fixtures, 'createWebhookEndpoint', { as, body })
    if (made.problem) {
      expect(scope).toBe('webhooks:manage')
      continue
    }
    for (const id of newest.values())
      await invokeOk(fixtures, 'redeliverEvent', { id, body: { webhook_endpoint: made.body.id } })
    sent += newest.size
  }
  await receiver.waitForRequests(sent)
  await worker.stop()
  await receiver.stop()
  for (const { path, body } of receiver.received) {
    const scope = readScopes.find(one => path === `/${one}`) ?? 'organization:read'
    const shown = { got: valuesIn(JSON.parse(body)), sent: new Set<string>() }
    expect([scope, ...leakedOf(scope, secret, shown)]).toEqual([scope])
  }
})
