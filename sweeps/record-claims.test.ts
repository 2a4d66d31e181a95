// What pages say of records that are removed, destroyed, copied or sent to a pharmacy, and of
// events, against the code that does it.
import { expect, test } from 'bun:test'
import path from 'node:path'
import { hasVideo } from '#clinical/modes.ts'
import { viewerLimits } from '#clinical/viewer/protocol.ts'
import { table } from '#contract/api.ts'
import { consoleOperations } from '#contract/console.ts'
import { fileFindings, fileLimits } from '#contract/console/files.ts'
import { eventTypes } from '#contract/events.ts'
import { transmissionType } from '#contract/pharmacy/protocol.ts'

const root = path.dirname(import.meta.dir)
const read = async (file: string) =>
  (await Bun.file(path.join(root, file)).text()).replace(/\s+/g, ' ')
const article = (name: string) => read(`content/articles/${name}.md`)
const guide = (name: string) => read(`content/docs/${name}.md`)

test('documents: pages name what cannot be read, with the limits of the viewer', async () => {
  const pixels = viewerLimits.sidePixelsMax.toLocaleString('en-US')
  // One for each of: damaged, password, pages, pixels, malware.
  expect(fileFindings).toHaveLength(5)
  for (const page of [await article('photos-and-files'), await guide('files')]) {
    expect(page).toContain(
      `a damaged file, a PDF with a password or with more than ${fileLimits.pagesMax} pages, a picture with more than ${pixels} pixels a side, and malware`,
    )
  }
})

test('documents: only the records role removes one, in two steps, without an event', async () => {
  const { requestRemoval, confirmRemoval } = consoleOperations
  for (const { roles } of [requestRemoval, confirmRemoval]) expect(roles).toEqual(['records'])
  expect(table.deleteFile.refuses).toContain('live_not_available')
  expect(eventTypes.filter(type => type.startsWith('file.'))).toEqual(['file.attached.v1'])
  const page = await article('photos-and-files')
  expect(page).toContain('staff with the records role ask with a reason, then confirm')
  expect(page).toContain('you see neither as an event')
  expect(await guide('files')).toContain('There is no event.')
})

/** The tables of which `records.destroy` deletes rows, in the words of the pages. */
const destroyed: Readonly<Record<string, string>> = {
  cases: 'cases',
  messages: 'messages',
  prescriptions: 'prescriptions',
  orders: 'orders',
  visits: 'visits',
}

test('retention: what a destroyed record loses answers 404, and the rest stays', async () => {
  const names = [...new Bun.Glob('database/migrations/*.sql').scanSync(root)].sort()
  const written = await Promise.all(names.map(read))
  const bodies = written.flatMap(
    text => /function records\.destroy\(.*?end \$\$/.exec(text)?.[0] ?? [],
  )
  const body = bodies.at(-1) ?? ''
  const page = await guide('patients-and-consents')
  const list = /Then what stayed readable answers 404 too: ([^.]+)\./.exec(page)?.[1] ?? ''
  for (const [name, said] of Object.entries(destroyed)) {
    expect(body).toMatch(new RegExp(`'${name}'|from ${name}\\b`))
    expect(list).toContain(said)
  }
  expect(list.split(/, | and /).sort()).toEqual(Object.values(destroyed).sort())
  expect(body).not.toMatch(/(delete from|') ?(events|charges|ledger|audit)/)
  expect(page).toContain('Events, charges and the audit stay, and there is no event for it.')
  expect(body).toContain('records.kept_by(of_tenant, of_patient) is null')
  expect(page).toContain(
    'not while a legal hold is on it; a clinic without a policy destroys nothing',
  )
})

test('exports: the copy of the clinic has what the partial export of the API lacks', async () => {
  const archive = await read('clinical/records/export.ts')
  for (const member of ['messages', 'visits', 'documents']) {
    expect(archive).toMatch(new RegExp(`as ${member}\\b`))
  }
  expect(consoleOperations.exportRecord.roles).toEqual(['records'])
  expect(await guide('exports')).toContain(
    'its console makes the whole copy: the messages, the visits and the documents too',
  )
})

test('pharmacies: the page says who sends a prescription, and that no operation of the API does', async () => {
  const page = await article('who-may-fill-this')
  expect(Object.keys(table).filter(id => /pharmac|transmi/i.test(id))).toEqual([])
  expect(page).toContain('your software has no part in it')
  expect(transmissionType).toBe('prescription.transmitted')
  expect(page).toContain('sends each prescription once, as signed JSON')
  const rows = await read('database/migrations/0140_pharmacies.sql')
  expect(rows).toContain(
    'create unique index one_connection on pharmacy.connections (organization)',
  )
  expect(page).toContain('A clinic has one connection at a time')
})

test('visits: pages say that live mode has video and that a sandbox has none', async () => {
  expect([hasVideo('live'), hasVideo('test')]).toEqual([true, false])
  expect(await article('live-video-when')).toContain('In the sandbox a test ends there')
  expect(await read('content/comparisons/async-vs-video.md')).toContain(
    'In the sandbox the waiting room is there and the camera is not. In live mode patient and clinician see each other',
  )
  expect(await guide('visits')).toContain(
    'In the sandbox it says that it is a sandbox visit, and there is no camera',
  )
})

test('events: every page names events that exist', async () => {
  const names = [...new Bun.Glob('content/**/*.{md,json,yaml}').scanSync(root)]
  const known = new Set(eventTypes.map(type => type.replace(/\.v1$/, '')))
  const parts = new Set([...known].flatMap(event => event.split('.')))
  const files = new Set(['ts', 'py'])
  const texts = await Promise.all(names.map(read))
  const named = texts.flatMap((text, at) =>
    [...text.matchAll(/`(\w+)\.(\w+)(?:\.v\d+)?`/g)]
      .filter(([, resource = '', verb = '']) => parts.has(resource) || parts.has(verb))
      .filter(([, , verb = '']) => !files.has(verb))
      .map(([, resource, verb]) => [names[at], `${resource}.${verb}`] as const),
  )
  expect(named.length).toBeGreaterThan(80)
  expect(named.filter(([, event]) => !known.has(event))).toEqual([])
})
