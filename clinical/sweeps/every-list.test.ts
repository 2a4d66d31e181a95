// Runs the suite testing/pages.suite.ts for every list. The compiler requires a listing for each
// operation named `list…`, and a test asserts that no other lists exist.

import { destinationRequests } from '#contract/examples/destinations.ts'
import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { CallableId } from '#contract/callable.ts'
import { sql } from '#database/sql.ts'
import { completePending } from '../testing/exports.ts'
import { consentedPatient, queuedCase, caseBody, invokeOk, rivera } from '../testing/call.ts'
import { createInvoice } from '../testing/invoices.ts'
import { requestListing } from '../testing/request-listing.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { catalog } from '../medications/medication.ts'
import { type Listing, suiteOfPages } from '../testing/pages.suite.ts'
import { endpoint } from '../testing/valid-calls.ts'
import { listOperations } from '../testing/sweep.ts'
import { unknownId, queryAsOwner } from '../testing/assertions.ts'

const fixtures = useFixtures()
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

type ListId = { [K in CallableId]: K extends `list${string}` ? K : never }[CallableId]

const rowsOfEach = 25
const times = async (count: number, work: (at: number) => Promise<unknown>) => {
  for (let at = 0; at < count; at++) await work(at)
}
const noMatch = { query: { external_id: 'cust_unknown' } }
const alternate = (at: number, one: string, other: string) => (at % 2 === 0 ? one : other)

/** Creates an approved case with as many medications as a plan may have. */
async function approvedCase(as?: string): Promise<{ id: string }> {
  const who = as === undefined ? {} : { as }
  const { id } = await queuedCase(fixtures, as)
  const plan = catalog.filter(entry => entry.dispensable).slice(0, 20)
  const lines = plan.map(({ medication_id }) => ({ medication_id }))
  await invokeOk(fixtures, 'decideCase', { ...who, id, body: { decision: 'approve', plan: lines } })
  return { id }
}

async function ofApprovedCase(): Promise<Listing> {
  const [options, theirs, empty] = [
    await approvedCase(),
    await approvedCase(fixtures.ben.test),
    await queuedCase(fixtures),
  ]
  return {
    options,
    empty: { id: empty.id },
    filters: [],
    theirs: { ...theirs, as: fixtures.ben.test },
  }
}

async function ofThread(): Promise<Listing & { id: string }> {
  const [{ id }, quiet] = [await queuedCase(fixtures), await queuedCase(fixtures)]
  const send = () =>
    invokeOk(fixtures, 'createMessage', { id, body: { body: 'And another thing.' } })
  await times(rowsOfEach, send)
  const as = fixtures.ben.test
  const ben = await queuedCase(fixtures, as)
  await invokeOk(fixtures, 'createMessage', { as, id: ben.id, body: { body: 'Hello.' } })
  const theirs = { as, id: ben.id }
  return { id, options: { id }, empty: { id: quiet.id }, more: send, filters: [], theirs }
}

async function ofConsents(): Promise<Listing> {
  const { id } = await invokeOk(fixtures, 'createPatient', { body: rivera })
  const { id: other } = await invokeOk(fixtures, 'createPatient', { body: rivera })
  const agree = (at = 0) => {
    const kind = alternate(at, 'telehealth', 'privacy')
    return invokeOk(fixtures, 'recordConsent', { id, body: { kind, version: `2026-${at}` } })
  }
  await times(rowsOfEach, agree)
  const theirs = {
    as: fixtures.ben.test,
    id: (await consentedPatient(fixtures, fixtures.ben.test)).patient,
  }
  return { options: { id }, empty: { id: other }, more: agree, filters: [], theirs }
}

async function ofPatients(): Promise<Listing> {
  const create = (at = 0) => {
    const external_id = alternate(at, 'cust_even', 'cust_odd')
    return invokeOk(fixtures, 'createPatient', { body: { ...rivera, external_id } })
  }
  await times(rowsOfEach, create)
  await invokeOk(fixtures, 'createPatient', { as: fixtures.ben.test, body: rivera })
  return {
    options: {},
    empty: noMatch,
    more: create,
    filters: [
      {
        query: { external_id: 'cust_odd' },
        holds: item => item['external_id'] === 'cust_odd',
      },
    ],
    theirs: { as: fixtures.ben.test },
  }
}

async function ofCases(): Promise<Listing> {
  const one = await consentedPatient(fixtures)
  const file = async (at = 0) => {
    const patient = at < 5 ? one : await consentedPatient(fixtures)
    return invokeOk(fixtures, 'createCase', { body: caseBody(patient, { hold: at % 2 === 0 }) })
  }
  await times(rowsOfEach, file)
  await queuedCase(fixtures, fixtures.ben.test)
  const { data } = await invokeOk(fixtures, 'listCases', { query: { limit: '100' } })
  const mark: string = data[12].created_at
  const later = (item: Record<string, unknown>) => String(item['created_at']) > mark
  return {
    options: {},
    empty: { query: { patient: unknownId('pat') } },
    more: file,
    filters: [
      { query: { status: 'received' }, holds: item => item['status'] === 'received' },
      { query: { patient: one.patient }, holds: item => item['patient'] === one.patient },
      { query: { created_after: mark }, holds: later },
      {
        query: { created_after: mark, status: 'queued' },
        holds: item => later(item) && item['status'] === 'queued',
      },
    ],
    theirs: { as: fixtures.ben.test },
  }
}

/** Uses live mode, where no other listing writes: this list has every event in a tenant. */
async function ofEvents(): Promise<Listing> {
  const as = fixtures.ada.live
  await times(9, () => consentedPatient(fixtures, as))
  const { data } = await invokeOk(fixtures, 'listEvents', { as, query: { limit: '100' } })
  const mark: string = data[7].created_at
  await consentedPatient(fixtures, fixtures.ben.test)
  return {
    options: { as },
    empty: { as, query: { since: '9999-12-31' } },
    more: () => invokeOk(fixtures, 'createPatient', { as, body: rivera }),
    filters: [
      { query: { since: mark }, holds: item => String(item['created_at']) > mark },
      {
        query: { type: 'patient.created.v1' },
        holds: item => item['type'] === 'patient.created.v1',
      },
    ],
    theirs: { as: fixtures.ben.test },
  }
}

/** Lists two weeks in one state, without bookings, requested on the Sunday before. */
async function ofSlots(): Promise<Listing> {
  const at = Date.parse('2027-03-07T12:00:00Z')
  const [from, to] = ['2027-03-08T00:00:00.000Z', '2027-03-21T00:00:00.000Z']
  const mark = '2027-03-13T19:00:00.000Z'
  const starts = (item: Record<string, unknown>) => String(item['starts_at'])
  return {
    options: { at, query: { state: 'CA', from, to } },
    empty: { at, query: { state: 'CA', from: '2027-03-14T00:00:00Z', to: '2027-03-15T00:00:00Z' } },
    filters: [
      { query: { from: mark }, holds: item => starts(item) >= mark },
      { query: { to: mark }, holds: item => starts(item) < mark },
    ],
    theirs: { as: fixtures.ben.test, at, query: { state: 'CA', from, to } },
  }
}

/** Runs in live mode, because sandboxes have no invoices. */
async function ofInvoices(): Promise<Listing> {
  const as = fixtures.ada.live
  const more = () => createInvoice(fixtures, { who: fixtures.ada, mode: 'live' })
  await times(rowsOfEach, more)
  await createInvoice(fixtures, { who: fixtures.ben, mode: 'live' })
  return { options: { as }, empty: {}, more, filters: [], theirs: { as: fixtures.ben.live } }
}

/** Creates as many endpoints as an integration may have, so none can be added. */
async function ofEndpoints(): Promise<Listing> {
  const least = 16
  await times(least, () => invokeOk(fixtures, 'createWebhookEndpoint', { body: endpoint }))
  const theirs = { as: fixtures.ben.test }
  await invokeOk(fixtures, 'createWebhookEndpoint', { ...theirs, body: endpoint })
  return { least, options: {}, empty: { as: fixtures.ada.live }, filters: [], theirs }
}

/** Creates fewer than the limit, because endpoints also count. */
async function ofDestinations(): Promise<Listing> {
  const least = 12
  const body = destinationRequests['a_queue'] ?? {}
  const add = (as: string) => invokeOk(fixtures, 'createDestination', { as, body })
  await times(least, () => add(fixtures.ada.live))
  await add(fixtures.ben.test)
  const [options, empty] = [{ as: fixtures.ada.live }, { as: fixtures.ada.test }]
  return { least, options, empty, filters: [], theirs: { as: fixtures.ben.test } }
}

async function ofTableExports(): Promise<Listing> {
  const more = async (_at = 0, as = fixtures.ada.live) => {
    await invokeOk(fixtures, 'createTableExport', { as, body: {} })
    await completePending(fixtures)
  }
  await times(rowsOfEach, more)
  await more(0, fixtures.ben.test)
  const [options, empty] = [{ as: fixtures.ada.live }, { as: fixtures.ada.test }]
  return { options, empty, more, filters: [], theirs: { as: fixtures.ben.test } }
}

async function ofDeliveries(): Promise<Listing> {
  const as = fixtures.ben.test
  const event = async (who?: string) => {
    const options = who === undefined ? {} : { as: who }
    const { data } = await invokeOk(fixtures, 'listEvents', { ...options, query: { limit: '1' } })
    return data[0].id
  }
  const open = (who: string) =>
    invokeOk(fixtures, 'createWebhookEndpoint', { as: who, body: endpoint })
  await invokeOk(fixtures, 'createPatient', { as: fixtures.ada.live, body: rivera })
  const [{ id }, quiet, bens] = [
    await open(fixtures.ada.live),
    await open(fixtures.ada.live),
    await open(as),
  ]
  const mine = await event(fixtures.ada.live)
  const send = () =>
    invokeOk(fixtures, 'redeliverEvent', {
      as: fixtures.ada.live,
      id: mine,
      body: { webhook_endpoint: id },
    })
  await times(rowsOfEach, send)
  // Records every other delivery, as a worker would.
  await queryAsOwner(
    fixtures,
    sql`update live.deliveries d set status = 'delivered', next_attempt_at = null
          from (select id, row_number() over (order by id) as at from live.deliveries) n
         where n.id = d.id and n.at % 2 = 0`,
  )
  await queuedCase(fixtures, as)
  await invokeOk(fixtures, 'redeliverEvent', {
    as,
    id: await event(as),
    body: { webhook_endpoint: bens.id },
  })
  const options = { as: fixtures.ada.live, id }
  return {
    options,
    empty: { as: fixtures.ada.live, id: quiet.id },
    more: send,
    filters: [
      { query: { status: 'pending' }, holds: item => item['status'] === 'pending' },
      { query: { status: 'delivered' }, holds: item => item['status'] === 'delivered' },
    ],
    theirs: { as, id: bens.id },
  }
}

const listings: Record<ListId, () => Promise<Listing>> = {
  listMedications: async () => ({ options: {}, filters: [] }),
  listPatients: ofPatients,
  listConsents: ofConsents,
  listCases: ofCases,
  // Every message is an event in its case.
  listCaseEvents: async () => {
    const { empty: _, ...listing } = await ofThread()
    return listing
  },
  listMessages: ofThread,
  listPrescriptions: ofApprovedCase,
  listOrders: ofApprovedCase,
  listSlots: ofSlots,
  listInvoices: ofInvoices,
  listEvents: ofEvents,
  listWebhookEndpoints: ofEndpoints,
  listDeliveries: ofDeliveries,
  listDestinations: ofDestinations,
  listTableExports: ofTableExports,
  listRequests: () => requestListing(fixtures),
}

test('every operation that returns a list has a listing in this sweep', () => {
  expect(listOperations.toSorted()).toEqual((Object.keys(listings) as CallableId[]).sort())
})

for (const [list, make] of Object.entries(listings)) {
  describe(list, () => {
    let listing: Listing
    beforeAll(async () => {
      listing = await make()
    })
    suiteOfPages(list as ListId, async () => [fixtures, listing])
  })
}
