import { beforeAll, describe, expect, test } from 'bun:test'
import { eventTypes } from '#contract/events.ts'
import { invoke, queuedCase, invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import {
  eventsAfter,
  expectFaults,
  memberNames,
  timestampPattern,
  type EventSummary,
} from '../testing/assertions.ts'

const fixtures = useFixtures()
let id: string
let all: EventSummary[]
beforeAll(async () => {
  ;({ id } = await queuedCase(fixtures))
  await invokeOk(fixtures, 'createMessage', { id, body: { body: 'Hello.' } })
  await invokeOk(fixtures, 'decideCase', { id, body: { decision: 'approve' } })
  await queuedCase(fixtures, undefined, { hold: true })
  await queuedCase(fixtures, fixtures.ben.test)
  all = await eventsAfter(fixtures, null)
})

const list = async (query: Record<string, string> | string): Promise<EventSummary[]> =>
  (await invokeOk(fixtures, 'listEvents', { query })).data

describe('events 200', () => {
  test('an event has eight fields in published order, and data only on request', async () => {
    expect(all).toHaveLength(13)
    for (const event of all) {
      expect(memberNames(event)).toEqual([
        'id',
        'type',
        'created_at',
        'organization',
        'mode',
        'resource',
        'status',
        'previous_status',
      ])
      expect(memberNames(event.resource)).toEqual(['type', 'id'])
      expect(event).toMatchObject({ organization: fixtures.ada.organization, mode: 'test' })
      expect(event.created_at).toMatch(timestampPattern)
      expect(eventTypes as readonly string[]).toContain(event.type)
    }
    const { text } = await invoke(fixtures, 'listEvents', { query: { include_resource: 'false' } })
    expect(text).not.toContain('"data":{')
  })

  test('getEvent returns the same bytes as listEvents', async () => {
    const page = await invoke(fixtures, 'listEvents')
    const each = await Promise.all(all.map(event => invoke(fixtures, 'getEvent', { id: event.id })))
    expect(page.text).toBe(`{"data":[${each.map(one => one.text).join(',')}],"has_more":false}`)
  })

  test('since is exclusive: an event’s own created_at doesn’t list the event', async () => {
    for (const [at, event] of all.entries()) {
      expect(await list({ since: event.created_at })).toEqual(all.slice(at + 1))
    }
  })

  test('since accepts any offset, finer precision, a date and the distant past', async () => {
    const third = all[2]?.created_at ?? ''
    const shifted = new Date(Date.parse(third) - 8 * 3_600_000).toISOString()
    const finer = third.replace('Z', '9Z')
    const elsewhere = shifted.replace('Z', '-08:00')
    for (const since of [third, finer, elsewhere, elsewhere.replace('T', 't')]) {
      expect(await list({ since })).toEqual(all.slice(3))
    }
    for (const since of ['2020-01-01', '1970-01-01', '1969-12-31', '1969-12-31T23:59:59.999Z']) {
      expect(await list({ since })).toEqual(all)
    }
    expect(await list({ since: '9999-12-31' })).toEqual([])
  })

  test('paging by since alone, and by starting_after with since, returns every event once', async () => {
    const bySince: EventSummary[] = []
    for (let more = true; more;) {
      const since = bySince.at(-1)?.created_at ?? '2020-01-01'
      const page = await invokeOk(fixtures, 'listEvents', { query: { since, limit: '2' } })
      bySince.push(...page.data)
      more = page.has_more
    }
    expect(bySince).toEqual(all)
    const since = all[1]?.created_at ?? ''
    const byCursor: EventSummary[] = []
    for (let more = true; more;) {
      const last = byCursor.at(-1)
      const query = { since, limit: '2', ...(last ? { starting_after: last.id } : {}) }
      const page = await invokeOk(fixtures, 'listEvents', { query })
      byCursor.push(...page.data)
      more = page.has_more
    }
    expect(byCursor).toEqual(all.slice(2))
    expect(await list({ since, starting_after: all[5]?.id ?? '' })).toEqual(all.slice(6))
    expect(
      await list({ since: all[5]?.created_at ?? '', starting_after: all[1]?.id ?? '' }),
    ).toEqual(all.slice(6))
  })

  test('type filters by one type; a type without events is an empty list', async () => {
    for (const type of eventTypes) {
      expect(await list({ type })).toEqual(all.filter(event => event.type === type))
    }
    const since = all.find(event => event.type === 'consent.recorded.v1')?.created_at ?? ''
    expect(await list({ since, type: 'consent.recorded.v1' })).toHaveLength(3)
  })

  test('listCaseEvents returns only events about the case, in pages', async () => {
    const own = all.filter(event => event.resource.id === id)
    const { data, has_more } = await invokeOk(fixtures, 'listCaseEvents', { id })
    expect([data, has_more]).toEqual([own, false])
    expect(own.map(event => event.type)).toEqual([
      'case.queued.v1',
      'case.message_created.v1',
      'case.in_review.v1',
      'case.approved.v1',
    ])
    const query = { limit: '2', starting_after: own[0]?.id ?? '' }
    const page = await invokeOk(fixtures, 'listCaseEvents', { id, query })
    expect([page.data, page.has_more]).toEqual([own.slice(1, 3), true])
  })
})

describe('events 400', () => {
  test.each<[string, string, string]>([
    ['type=case.opened.v1', '?type', 'not_in_enum'],
    ['type=case.queued', '?type', 'not_in_enum'],
    ['since=0', '?since', 'invalid_format'],
    ['since=2026-13-01', '?since', 'invalid_format'],
    ['include_resource=yes', '?include_resource', 'wrong_type'],
    ['include_resource=', '?include_resource', 'wrong_type'],
  ])('%s', async (query, pointer, code) => {
    expect(await expectFaults(fixtures, 'listEvents', { query })).toEqual([[pointer, code]])
  })
})
