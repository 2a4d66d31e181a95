// Compares tables in guides to the contract. If a row in the contract is added, changed or removed,
// the guide's test fails.
import { expect, test } from 'bun:test'
import { localTimeAt, zoneOf } from '#clinical/visits/time-zones.ts'
import { slotsIn } from '#clinical/visits/slots.ts'
import { type OperationId, table } from '#contract/api.ts'
import { documents } from '#contract/derive/documents.ts'
import { prefixes } from '#contract/ids.ts'
import { realtimeCloses } from '#contract/realtime.ts'
import { faultCodes } from '#contract/faults.ts'
import { problems } from '#contract/problems.ts'
import { roleScopes } from '#contract/scopes.ts'
import {
  caseTransitions,
  connectedTransitions,
  machines,
  openCaseStatuses,
  pharmacyTransitions,
  visitTransitions,
} from '#contract/states.ts'
import { updateMoves } from '#contract/pharmacy/protocol.ts'
import { clinicalTools } from '#contract/tools/tools.ts'
import { codeOf, read, root } from './testing/pages.ts'

const guide = (name: string) => read(`content/docs/${name}.md`)
/** The authorization server's errors, defined in RFC 6749 and RFC 8707. */
const oauthErrors =
  'invalid_client invalid_scope invalid_target invalid_grant unauthorized_client'.split(' ')

type Rows = readonly (readonly string[])[]

/** Each table's cells. Editors may choose the column headings. */
const tablesIn = (text: string): Rows[] =>
  [...text.matchAll(/^\|.*\n\| ?-.*\n((?:\|.*\n)+)/gm)].map(([, body = '']) =>
    body
      .trim()
      .split('\n')
      .map(row => row.slice(2, -2).split(' | ')),
  )

/** The first table with a cell that contains this text. */
function rowsWith(text: string, part: string): Rows {
  const rows = tablesIn(text).find(table => table.flat().some(cell => cell.includes(part))) ?? []
  expect([part, rows.length > 1]).toEqual([part, true])
  return rows
}

/** The names in a cell's code. */
const codesIn = (cell = '') => [...cell.matchAll(/`(\w+)`/g)].map(([, code = '']) => code)

test('concepts: the guide lists every ID prefix that a response can contain', async () => {
  const listed = rowsWith(await guide('concepts'), '`pat_').map(([prefix = '']) =>
    prefix.slice(1, -2),
  )
  const contracts = [documents['openapi.v1.json'](), documents['openapi.preview.json']()]
  const held = new Set(
    contracts.flatMap(text =>
      [...text.matchAll(/"\^([a-z]+)_\[0-7\]/g)].map(([, one]) => one ?? ''),
    ),
  )
  expect(held.size).toBeGreaterThan(15)
  expect(listed.toSorted()).toEqual([...held].toSorted())
  expect(Object.values<string>(prefixes)).toEqual(expect.arrayContaining(listed))
})

test('concepts: names of timestamps and ID lists follow the guide', async () => {
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
})

/** The operations' events in one sorted list. */
const emitted = (...ids: readonly OperationId[]) =>
  ids.flatMap(id => table[id].emits ?? []).toSorted()
const eventsIn = (cell = '') =>
  [...cell.matchAll(/`([a-z_]+\.[a-z_]+)(?:\.v1)?`/g)].map(([, name]) => `${name}.v1`)

test('visits: the guide lists each operation’s events and statuses', async () => {
  const rows = rowsWith(await guide('visits'), '`visit.booked.v1`').map(
    ([, events, statuses]): unknown[] => [eventsIn(events).toSorted(), codesIn(statuses)],
  )
  const moves = [
    ['rescheduleVisit', 'reschedule'],
    ['cancelVisit', 'cancel'],
    ['startVisit', 'start'],
    ['completeVisit', 'complete'],
    ['noShowVisit', 'miss'],
  ] as const
  const expected = moves.map(([id, move]): unknown[] => {
    const { from, to } = visitTransitions[move]
    return [emitted(id), [...from, to]]
  })
  expect(rows.toSorted()).toEqual([[emitted('bookVisit'), ['scheduled']], ...expected].toSorted())
})

test('orders: the guide lists each control’s events', async () => {
  const rows = rowsWith(await guide('prescriptions-and-orders'), '`order.shipped`').map(
    ([, events]) => eventsIn(events).toSorted(),
  )
  for (const id of ['shipCase', 'deliverCase', 'blockCase', 'failCase'] as const)
    expect(rows).toContainEqual(emitted(id))
})

test('loop: the guide lists the events of exactly the operations it calls', async () => {
  const rows = rowsWith(await guide('the-loop'), '`patient.created`')
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

test('visits: the guide lists the sandbox’s start times for each weekday', async () => {
  const starts: Record<string, number[]> = {}
  const zone = zoneOf('NY')
  const monday = Date.parse('2026-11-30T05:00:00Z')
  for (const { starts_at } of slotsIn('NY', monday, monday + 7 * 86_400_000)) {
    const at = Date.parse(starts_at)
    const day = new Date(at).toLocaleDateString('en-US', { weekday: 'long', timeZone: zone })
    ;(starts[day] ??= []).push(localTimeAt(zone, at).hour)
  }
  for (const [days = '', cell = ''] of rowsWith(await guide('visits'), 'Monday')) {
    const hours = cell.match(/\d+/g)?.map(Number) ?? []
    for (const [day] of days.matchAll(/\w+day/g))
      expect([day, starts[day] ?? []]).toEqual([day, hours])
  }
})

test('realtime: the guide lists every close code', async () => {
  const rows = rowsWith(await guide('realtime'), '1012')
  const codes = new Set(Object.values(realtimeCloses).map(({ code }) => code))
  expect(rows.map(([code]) => Number(code)).toSorted()).toEqual([...codes].toSorted())
})

test('portal: the guide lists the roles', async () => {
  const listed = rowsWith((await guide('portal')).toLowerCase(), 'owner').map(([role]) => role)
  expect(listed.toSorted()).toEqual(Object.keys(roleScopes).toSorted())
})

test('pharmacies: the guide names the board’s buttons, and each one’s effect on an order', async () => {
  const text = (await guide('pharmacies')).replace(/\s+/g, ' ')
  const board = await codeOf('console/pages/orders/*.tsx')
  const rows = [...text.matchAll(/\| \*([\w ]+)\* \| `(\w+)` \|/g)].map(([, label, to]) => [
    label,
    to,
  ])
  const moves = Object.entries(pharmacyTransitions).map(([move, { to }]) => {
    const [, label] = new RegExp(`\\b${move}: \\{\\s*label: '([^']+)'`).exec(board) ?? []
    return [label, to]
  })
  expect(rows.length).toBeGreaterThan(3)
  expect(moves).toEqual(expect.arrayContaining(rows))
  for (const move of Object.values(updateMoves)) {
    expect(text).toContain(`\`order.${connectedTransitions[move].to}.v1\``)
  }
})

test('cases: the guide lists the actions each open status allows', async () => {
  const rows = rowsWith(await guide('cases'), '`waiting_on_integration`')
  const { release, answer, cancel, withdraw, decide } = caseTransitions
  for (const status of openCaseStatuses) {
    const allowed = Object.entries({ release, answer, cancel, withdraw, decide })
      .filter(([, { from }]) => (from as readonly string[]).includes(status))
      .map(([name]) => name)
    const [, cell = ''] = rows.find(([statuses]) => codesIn(statuses).includes(status)) ?? []
    const named = cell.match(/release|answer|cancel|withdraw|decide/g) ?? []
    expect([status, named.toSorted()]).toEqual([status, allowed.toSorted()])
  }
})

test('agents: the article names the scope of each tool that changes data', async () => {
  const article = await read('content/articles/agents-and-patient-data.md')
  const rows = rowsWith(article, '`update_patient`').filter(([, by = '']) => by.includes('`'))
  expect(rows.length).toBeGreaterThan(8)
  const scopeOf = new Map(clinicalTools.map(tool => [tool.name, tool.operation.scope]))
  for (const [, by = '', between = ''] of rows) {
    const scopes = [...by.matchAll(/`([a-z_]+)`/g)].flatMap(
      ([, name = '']) => scopeOf.get(name) ?? [],
    )
    expect([by, scopes.length > 0]).toEqual([by, true])
    for (const scope of scopes) expect([by, between.includes(String(scope))]).toEqual([by, true])
  }
})

test('errors: a code that a guide mentions exists', async () => {
  const states = Object.values(machines).flatMap(machine => machine.states)
  const known = new Set<string>([
    ...Object.keys(problems),
    ...faultCodes,
    ...states,
    ...oauthErrors,
  ])
  const named: string[] = []
  for (const file of new Bun.Glob('docs/*.md').scanSync(`${root}/content`)) {
    for (const rows of tablesIn(await read(`content/${file}`))) {
      const codes = rows.flatMap(([cell]) => codesIn(cell)).filter(code => code.includes('_'))
      // Tables of fields have other names.
      if (codes.some(code => Object.hasOwn(problems, code)))
        named.push(...codes.map(code => `${file} ${code}`))
    }
  }
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter(each => !known.has(each.split(' ')[1] ?? ''))).toEqual([])
})
