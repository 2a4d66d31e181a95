// What the guides to video visits and pharmacies quote, against the pages that say it.
import { expect, test } from 'bun:test'
import { operationIds, table } from '#contract/api.ts'
import {
  caseTransitions,
  connectedTransitions,
  openCaseStatuses,
  pharmacyTransitions,
} from '#contract/states.ts'
import { updateMoves } from '#contract/pharmacy/protocol.ts'
import { consoleOperations } from '#contract/console.ts'
import { read } from './testing/pages.ts'

const all = async (files: readonly string[]) =>
  (await Promise.all(files.map(read))).join('\n').replace(/\s+/g, ' ').replaceAll('’', "'")
const quoted = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, each]) => each)

test('video visits: the guide quotes what the page says, and names its buttons', async () => {
  const guide = await all(['content/docs/video-room.md'])
  const room = ['room-part', 'browser/media', 'browser/room'].map(
    name => `clinical/rooms/${name}.ts`,
  )
  const page = await all([
    ...room,
    'clinical/visits/entrance-page.ts',
    'clinical/visits/visit-document.ts',
  ])
  const sentences = quoted(guide, /"([^"]{12,})"/g)
  expect(sentences.length).toBeGreaterThan(8)
  for (const each of sentences) {
    const ending = each?.replace('Your clinician is', '} is') ?? ''
    expect([each, page.includes(ending)]).toEqual([each, true])
  }
  const buttons = quoted(guide, /\*([A-Z][\w -]+)\*/g)
  expect(buttons).toEqual(expect.arrayContaining(['Mute', 'Camera off', 'Leave', 'Start']))
  const shown = await all([...room, 'console/pages/visits/list.tsx'])
  for (const each of buttons) expect([each, shown.includes(each ?? '')]).toEqual([each, true])
  const { joinClinicVisit, startClinicVisit, completeClinicVisit } = consoleOperations
  for (const { roles } of [joinClinicVisit, startClinicVisit, completeClinicVisit]) {
    expect(roles).toEqual(['clinician'])
  }
})

test('pharmacies: the guide names the buttons of the board, and what each makes of an order', async () => {
  const guide = await all(['content/docs/pharmacies.md'])
  const board = await all(
    ['act-forms', 'list', 'order', 'transmission'].map(name => `console/pages/orders/${name}.tsx`),
  )
  const labels = {
    ship: 'Ship',
    deliver: 'Delivered',
    block: 'Block',
    unblock: 'Unblock',
    fail: 'Give up',
  }
  for (const [move, label] of Object.entries(labels)) {
    const { to } = pharmacyTransitions[move as keyof typeof labels]
    expect(board).toContain(`${move}: { label: '${label}'`)
    expect(guide).toContain(`| *${label}* | \`${to}\` |`)
  }
  for (const each of ['Send again', 'Do it by hand', 'Not sent']) {
    expect(guide).toContain(`*${each}*`)
    expect(board).toContain(each)
  }
  for (const move of Object.values(updateMoves)) {
    const { to } = connectedTransitions[move]
    expect(guide).toContain(`\`order.${to}.v1\``)
  }
  expect(consoleOperations.shipOrder.roles).toEqual(['pharmacy'])
})

test('pharmacies: the guide lists what is sent of a patient', async () => {
  const message = await all(['clinical/pharmacy/message.ts'])
  const [, columns = ''] = /select (a\.id[^$]+?) from patients/.exec(message) ?? []
  const sent = [...columns.matchAll(/a\.(\w+)/g)].map(([, name]) => name)
  expect(sent).toEqual(['id', 'first_name', 'last_name', 'date_of_birth', 'sex_at_birth', 'phone'])
  expect(await all(['content/docs/pharmacies.md'])).toContain(
    'the name, date of birth, sex at birth, phone and id',
  )
})

test('cases: the guide lists the moves of each open status', async () => {
  const guide = await read('content/docs/cases.md')
  const { release, answer, cancel, withdraw, decide } = caseTransitions
  for (const status of openCaseStatuses) {
    const allows = ({ from }: { from: readonly string[] }) => from.includes(status)
    const moves = Object.entries({ release, answer, cancel, withdraw, 'a decision': decide })
      .filter(([, transition]) => allows(transition))
      .map(([name]) => name)
    expect(guide).toContain(`\n| \`${status}\` | ${moves.join(', ')} |\n`)
  }
})

test('exports: one operation answers that what it had is gone', async () => {
  const going = operationIds.filter(id => table[id].refuses?.some(code => code === 'gone'))
  expect(going).toEqual(['downloadExport'])
  expect(await all(['content/docs/exports.md'])).toContain('Only this operation answers `gone`.')
})
