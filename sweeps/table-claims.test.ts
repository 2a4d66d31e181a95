// Tables of guides against the contract that decides their rows: a row that is added, changed or
// removed there fails the page.
import { expect, test } from 'bun:test'
import { localTimeAt, zoneOf } from '#clinical/visits/time-zones.ts'
import { slotsIn } from '#clinical/visits/slots.ts'
import { operationIds, type OperationId, table } from '#contract/api.ts'
import { prefixes } from '#contract/ids.ts'
import { type PortalRow, rolesIn } from '#contract/portal/row.ts'
import { portalRowIds, portalRows } from '#contract/portal/table.ts'
import { realtimeCloses } from '#contract/realtime.ts'
import { faultCodes } from '#contract/faults.ts'
import { problems } from '#contract/problems.ts'
import type { MemberRole } from '#contract/scopes.ts'
import { machines, visitTransitions } from '#contract/states.ts'
import { read, root } from './testing/pages.ts'

const guide = (name: string) => read(`content/docs/${name}.md`)
const troubles = '| you see | because | do |'
/** Errors of the authorization server, which RFC 6749 and RFC 8707 name. */
const oauthErrors =
  'invalid_client invalid_scope invalid_target invalid_grant unauthorized_client'.split(' ')

/** The rows of the table below a head, each as its cells. */
function rowsBelow(text: string, head: string): string[][] {
  const [, body = ''] = text.split(`${head}\n`)
  const rows = /^(?:\|.*\n)+/.exec(body)?.[0].trim().split('\n').slice(1) ?? []
  expect([head, rows.length > 1]).toEqual([head, true])
  return rows.map(row => row.slice(2, -2).split(' | '))
}

test('concepts: the guide lists every prefix of an id that an answer can hold', async () => {
  const listed = rowsBelow(await guide('concepts'), '| prefix | names | belongs to |').map(
    ([prefix = '']) => prefix.slice(1, -2),
  )
  const contracts = await Promise.all(
    ['v1', 'preview'].map(name => read(`contract/generated/openapi.${name}.json`)),
  )
  const held = new Set(
    contracts.flatMap(text =>
      [...text.matchAll(/"\^([a-z]+)_\[0-7\]/g)].map(([, one]) => one ?? ''),
    ),
  )
  expect(held.size).toBeGreaterThan(15)
  expect(listed.toSorted()).toEqual([...held].toSorted())
  expect(Object.values<string>(prefixes)).toEqual(expect.arrayContaining(listed))
})

test('concepts: names of moments and of lists of ids follow what the guide says', async () => {
  const moments = new Set<string>()
  const lists = new Set<string>()
  const visit = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return
    const { properties = {} } = schema as { properties?: Record<string, { items?: unknown }> }
    for (const [name, value] of Object.entries(properties)) {
      expect(name).toMatch(/^[a-z][a-z0-9_]*$/)
      if (/^\{[^{]*"format":"date-time"/.test(JSON.stringify(value))) moments.add(name)
      if (/^\{[^{]*"pattern":"\^[a-z]+_\[0-7\]/.test(JSON.stringify(value.items))) lists.add(name)
    }
    Object.values(schema).forEach(visit)
  }
  const { components } = JSON.parse(await read('contract/generated/openapi.v1.json'))
  visit(components.schemas)
  const others = (names: Set<string>, end: string) => [...names].filter(name => !name.endsWith(end))
  expect([moments.size > 15, lists.size > 3]).toEqual([true, true])
  expect(others(moments, '_at')).toEqual(['period_start', 'period_end', 'from', 'to'])
  expect(others(lists, '_ids')).toEqual(['files'])
  const said = await guide('concepts')
  expect(said).toContain(
    'but for the two of a span: `from` and `to`, `period_start` and `period_end`',
  )
  expect(said).toContain('but for `files` of a case')
})

/** The events of the operations, as the contract has them, in one list. */
const emitted = (...ids: readonly OperationId[]) =>
  ids.flatMap(id => table[id].emits ?? []).toSorted()
const eventsIn = (cell = '') =>
  [...cell.matchAll(/`([a-z_]+\.[a-z_]+)(?:\.v1)?`/g)].map(([, name]) => `${name}.v1`)

test('visits: the guide lists the move, the events and the statuses of each operation', async () => {
  const rows = rowsBelow(await guide('visits'), '| move | event | before → after |')
  const moves: readonly [
    name: string,
    id: OperationId,
    of: keyof typeof visitTransitions | null,
  ][] = [
    ['book', 'bookVisit', null],
    ['reschedule', 'rescheduleVisit', 'reschedule'],
    ['cancel, or the patient is deleted', 'cancelVisit', 'cancel'],
    ['start', 'startVisit', 'start'],
    ['complete', 'completeVisit', 'complete'],
    ['no-show', 'noShowVisit', 'miss'],
  ]
  for (const [at, [name, id, of]] of moves.entries()) {
    const [move, events, statuses] = rows[at] ?? []
    expect([move, eventsIn(events).toSorted()]).toEqual([name, emitted(id)])
    const { from, to } = of === null ? { from: [null], to: 'scheduled' } : visitTransitions[of]
    const before = from[0] === null ? 'null' : `\`${from[0]}\``
    expect([move, statuses]).toEqual([name, `${before} → \`${to}\``])
  }
  expect(rows).toHaveLength(moves.length)
})

test('orders: the guide lists the events of each control', async () => {
  const rows = new Map(
    rowsBelow(await guide('prescriptions-and-orders'), '| move | events |').map(
      ([move = '', events]) => [move, eventsIn(events).toSorted()] as const,
    ),
  )
  const controls = {
    ship: 'shipCase',
    deliver: 'deliverCase',
    block: 'blockCase',
    fail: 'failCase',
  } as const
  for (const [move, id] of Object.entries(controls))
    expect([move, rows.get(move)]).toEqual([move, emitted(id)])
  expect(emitted('decideCase')).toEqual(expect.arrayContaining(rows.get('approve') ?? ['none']))
})

test('loop: the guide lists events of the operations that it calls, and of no other', async () => {
  const rows = rowsBelow(await guide('the-loop'), '| call | events, in order |')
  const called: readonly OperationId[] = [
    'createPatient',
    'recordConsent',
    'createCase',
    'decideCase',
    'answerCase',
    'decideCase',
    'shipCase',
    'deliverCase',
  ]
  expect(rows).toHaveLength(called.length)
  for (const [at, id] of called.entries()) {
    const named = eventsIn(rows[at]?.[1])
    expect([id, named.length > 0]).toEqual([id, true])
    expect(emitted(id)).toEqual(expect.arrayContaining(named))
  }
})

test('visits: the guide lists the starts of each weekday of the sandbox', async () => {
  const starts: Record<string, number[]> = {}
  const zone = zoneOf('NY')
  const monday = Date.parse('2026-11-30T05:00:00Z')
  for (const { starts_at } of slotsIn('NY', monday, monday + 7 * 86_400_000)) {
    const at = Date.parse(starts_at)
    const day = new Date(at).toLocaleDateString('en-US', { weekday: 'long', timeZone: zone })
    ;(starts[day] ??= []).push(localTimeAt(zone, at).hour)
  }
  const rows = rowsBelow(await guide('visits'), '| weekday | starts |')
  let before = ''
  for (const [days = '', cell = ''] of rows) {
    const said = cell.replace('the same, and', `${before},`).replace(' and ', ', ')
    for (const day of days.split(', ')) {
      expect([day, (starts[day] ?? []).join(', ') || 'none']).toEqual([day, said])
    }
    before = cell
  }
  expect(rows.flatMap(([days = '']) => days.split(', '))).toHaveLength(7)
})

test('realtime: the guide lists every code with which a connection is closed', async () => {
  const rows = rowsBelow(await guide('realtime'), '| code | reason | do |')
  const codes = new Set(Object.values(realtimeCloses).map(({ code }) => code))
  expect(rows.map(([code]) => Number(code)).toSorted()).toEqual([...codes].toSorted())
})

test('portal: the guide says what the roles see and may change', async () => {
  const said = rowsBelow(await guide('portal'), '| role | sees | may change |')
  expect(said).toEqual([
    [
      'owner',
      'everything',
      'everything: members, the agreement, grants, live keys, closing the integration',
    ],
    [
      'developer',
      'everything',
      'keys and OAuth clients of test mode, webhook endpoints, the sandbox',
    ],
    ['viewer', 'everything but webhooks and deliveries', 'nothing of others'],
    [
      'billing',
      'members, settings, usage and invoices, and what live mode needs',
      'nothing of others',
    ],
  ])
  const rows = portalRowIds.map((id): PortalRow & { id: string } => ({ id, ...portalRows[id] }))
  const pages = (role: MemberRole) =>
    rows.filter(row => row.group && rolesIn(row, 'test').includes(role)).map(({ title }) => title)
  const every = pages('owner')
  expect(every.length).toBeGreaterThan(10)
  expect(pages('developer')).toEqual(every)
  expect(every.filter(title => !pages('viewer').includes(title))).toEqual([
    'Webhooks',
    'Deliveries',
  ])
  expect(pages('billing')).toEqual([
    'Agents and devices',
    'Organizations',
    'Go live',
    'Usage and invoices',
    'Members',
    'Settings',
  ])
  const forms = (role: MemberRole, mode: 'test' | 'live') =>
    rows.filter(row => row.method === 'POST' && rolesIn(row, mode).includes(role))
  for (const role of ['viewer', 'billing'] as const) {
    expect(forms(role, 'test').map(({ id }) => id)).toEqual(['endAccess', 'leave'])
  }
  expect(forms('owner', 'test')).toEqual(rows.filter(({ method }) => method === 'POST'))
  const places = (mode: 'test' | 'live') =>
    new Set(forms('developer', mode).map(({ path }) => path.replace('/{mode}', '').split('/')[2]))
  expect([...places('live')].toSorted()).toEqual([
    'access',
    'deliveries',
    'events',
    'members',
    'webhooks',
  ])
  expect([...places('test')].filter(name => !places('live').has(name)).toSorted()).toEqual([
    'clients',
    'keys',
    'sandbox',
  ])
})

test('billing: a completed visit is the one thing that raises a charge', async () => {
  const raising = operationIds.filter(id => table[id].emits?.includes('charge.created.v1'))
  // The trigger writes an event about a charge that never was.
  expect(raising).toEqual(['completeVisit', 'triggerWebhook'])
  expect(await guide('billing')).toContain(
    'Nothing else is charged by call: no case, no decision, no message, no order, no event.',
  )
})

test('consents: no operation changes or withdraws one', async () => {
  const ids = operationIds.filter(id => /consents/.test(table[id].path))
  expect(ids).toEqual(['recordConsent', 'listConsents'])
  expect(await guide('patients-and-consents')).toContain('No operation withdraws a consent')
})

test('pharmacies: in live mode every operation on an order reads it', async () => {
  const paths = operationIds.filter(
    id => table[id].mode !== 'test' && /\/(?:orders|prescriptions)/.test(table[id].path),
  )
  expect(paths.length).toBeGreaterThan(3)
  expect(paths.filter(id => table[id].method !== 'GET')).toEqual([])
  expect(await guide('pharmacies')).toContain('No call moves a live order')
})

test('refusals: a code that a guide tells to look for exists', async () => {
  const states = Object.values(machines).flatMap(machine => machine.states)
  const known = new Set<string>([
    ...Object.keys(problems),
    ...faultCodes,
    ...states,
    ...oauthErrors,
  ])
  const files = [...new Bun.Glob('docs/*.md').scanSync(`${root}/content`)]
  const named: string[] = []
  for (const file of files) {
    const text = await read(`content/${file}`)
    if (!text.includes(troubles)) continue
    for (const [cell = ''] of rowsBelow(text, troubles)) {
      for (const [, code = ''] of cell.matchAll(/`([a-z]+_[a-z_]+)`/g))
        named.push(`${file} ${code}`)
    }
  }
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter(each => !known.has(each.split(' ')[1] ?? ''))).toEqual([])
})
