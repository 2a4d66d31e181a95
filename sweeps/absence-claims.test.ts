// What pages say that the product does not have or do, against the contract and the code.
import { expect, test } from 'bun:test'
import { operationIds, table } from '#contract/api.ts'
import { read, root } from './testing/pages.ts'

type Parts = { properties?: Record<string, unknown> }
type Path = Record<string, { parameters?: readonly { name?: string }[] }>
const contract = JSON.parse(await read('contract/generated/openapi.v1.json')) as {
  tags: readonly { name: string }[]
  paths: Readonly<Record<string, Path>>
  components: { schemas: Readonly<Record<string, Parts>> }
}
const page = async (name: string) => (await read(`content/${name}.md`)).replace(/\s+/g, ' ')
/** The paths that are read and whose last part is a collection of that name. */
const listing = (collection: string) =>
  operationIds.filter(id => table[id].method === 'GET' && table[id].path.endsWith(`/${collection}`))

test('visits: no operation lists them', async () => {
  expect(listing('visits')).toEqual([])
  expect(await page('docs/visits')).toContain('There is no list of visits')
  expect(await page('docs/exports')).toContain('by the ids that you kept; there is no list')
})

test('prescriptions: no operation finds those of one medication', async () => {
  expect(listing('prescriptions').map(id => table[id].path)).toEqual([
    '/v1/cases/{id}/prescriptions',
  ])
  const { parameters = [] } = contract.paths['/v1/cases/{id}/prescriptions']?.['get'] ?? {}
  expect(parameters.flatMap(({ name = [] }) => name)).toEqual(['id', 'limit', 'starting_after'])
  expect(await page('articles/adverse-events-and-emergencies')).toContain(
    'your own database, by prescription; the API has no such search',
  )
})

test('licenses: no operation names the states of a clinic, and none sends a case to another one', async () => {
  const { Organization, CreateCase = {} } = contract.components.schemas
  expect(Object.keys(Organization?.properties ?? {})).toContain('scopes')
  const everything = Object.values(contract.components.schemas).flatMap(schema =>
    Object.keys(schema.properties ?? {}),
  )
  expect(everything).toContain('state')
  expect(everything.filter(name => /^states|licen[sc]e/.test(name))).toEqual([])
  expect(Object.keys(CreateCase.properties ?? {})).not.toContain('organization')
  expect(operationIds.filter(id => /route|transfer|assign/i.test(id))).toEqual([])
  expect(await page('articles/who-may-treat-where')).toContain(
    'No operation tells you which states those are',
  )
  expect(await page('comparisons/one-clinic-vs-network')).toContain('it sends no case onwards')
})

test('visits: no setting of a clinic is about the date of birth', async () => {
  const settings = (await read('auth/clinics/settings.ts')) + (await read('contract/console.ts'))
  expect(settings).toContain('time_zone')
  expect(settings).not.toMatch(/date_of_birth|birth/)
  expect(await page('docs/video-room')).toContain('The clinic cannot switch the question off')
})

test('video: nothing records a visit', async () => {
  const folders = '{clinical,console,gateway,site}/**/*.{ts,tsx,js}'
  const code = [...new Bun.Glob(folders).scanSync(root)].filter(
    name => !/node_modules|\.test\.|\/testing\/|site\/dist/.test(name),
  )
  expect(code).toContain('clinical/rooms/daily.ts')
  const recorders = /MediaRecorder|enable_recording|startRecording|transcription/
  const found: string[] = []
  for (const name of code) if (recorders.test(await read(name))) found.push(name)
  expect(found).toEqual([])
  expect(await page('docs/live')).toContain('We record nothing.')
  expect(await page('docs/video-room')).toContain('We record nothing, and nothing is transcribed.')
  expect(await page('articles/live-video-when')).toContain('We record nothing.')
})

/** The tags of the contract, in the words of a list for people who decide. */
const said: Readonly<Record<string, string>> = {
  Patients: 'patients, consents',
  Exports: 'exports',
  Cases: 'cases',
  Messages: 'the thread',
  Prescriptions: 'prescriptions',
  Orders: 'orders',
  Visits: 'visits',
  Files: 'files',
  Billing: 'usage',
  Events: 'events',
  Realtime: 'realtime messages',
  Webhooks: 'webhooks',
}

test('resources: a page lists what the API serves', async () => {
  const tags = contract.tags.map(({ name }) => name)
  expect(tags.filter(name => !(name in said))).toEqual(['Organization', 'Sandbox'])
  const list =
    /Today our API is served \{modes\}: ([^.]+)\./.exec(
      await page('comparisons/build-vs-integrate'),
    )?.[1] ?? ''
  const named = list.split(/, | and /).toSorted()
  expect(named).toEqual(Object.values(said).join(', ').split(', ').toSorted())
})
