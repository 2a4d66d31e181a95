// What articles and guides say of tools, exports, protocols and measurements, against the place
// that decides it. Single numbers are in claims.test.ts.
import { expect, test } from 'bun:test'
import path from 'node:path'
import { catalog } from '#clinical/medications/medication.ts'
import { ExportBundle } from '#contract/api/exports.ts'
import { protocolVersions } from '#contract/mcp/servers.ts'
import { clinicalTools } from '#contract/tools/tools.ts'

const root = path.dirname(import.meta.dir)
const read = (file: string) => Bun.file(path.join(root, file)).text()
const words = (text: string) => text.replace(/\s+/g, ' ')

test('agents: the page names the scope of each tool that changes or moves something', async () => {
  const page = words(await read('content/articles/agents-and-patient-data.md'))
  const rows = [...page.matchAll(/\| by \| what stands between \|(.*?) An agent that only/g)]
  const table = rows[0]?.[1]?.split(' | | ').filter(row => row.includes('`')) ?? []
  expect(table.length).toBeGreaterThan(8)
  const scopeOf = new Map(clinicalTools.map(tool => [tool.name, tool.operation.scope]))
  for (const row of table) {
    const [, by = '', between = ''] = row.split(' | ')
    const tools = [...by.matchAll(/`([a-z_]+)`/g)].flatMap(
      ([, name = '']) => scopeOf.get(name) ?? [],
    )
    expect([row, tools.length > 0]).toEqual([row, true])
    for (const scope of tools) expect([row, between.includes(String(scope))]).toEqual([row, true])
  }
})

test('exports: the guide says what the bundle lacks, and the bundle lacks it', async () => {
  const guide = words(await read('content/docs/exports.md'))
  const members = Object.keys(ExportBundle.properties)
  expect(members).toEqual(expect.arrayContaining(['patient', 'cases', 'orders', 'documents']))
  for (const missing of ['messages', 'visits', 'charges', 'events']) {
    expect(members).not.toContain(missing)
    expect(guide).toMatch(new RegExp(`\\| (video )?${missing} \\|`))
  }
})

test('catalog: every page that says so may: no entry is a controlled substance', async () => {
  expect(catalog.filter(({ controlled }) => controlled)).toEqual([])
  expect(await read('content/home.yaml')).toContain('None is in the catalog.')
  expect(await read('content/overview.json')).toContain(
    'Controlled substances: none is in the catalog',
  )
  expect(await read('content/docs/cases.md')).toContain('Controlled substances are not in it')
})

test('measurements: pages state the numbers that the benchmarks have', async () => {
  const readme = words(await read('bench/README.md'))
  const row = (name: string) =>
    new RegExp(`\\| ${name} \\| ([\\d,]+) \\| ([\\d,]+) \\| ([\\d,]+) \\|`)
      .exec(readme)
      ?.slice(1) ?? []
  const [written = '', lost = '', shared = ''] = row('the clock of PostgreSQL')
  expect(row("the tenant's clock")).toEqual([written, '0', '0'])
  const home = words(await read('content/home.yaml'))
  expect(home).toContain(`Twenty writers wrote ${written} events`)
  expect(home).toContain(`missed ${lost} of them`)
  const number = (text: string) => Number(text.replaceAll(',', ''))
  const received = (number(written) - number(lost)).toLocaleString('en-US')
  const article = words(await read('content/articles/poll-without-losing-events.md'))
  expect(article).toContain(`to the millisecond | ${written} | ${received} | ${lost} | ${shared} |`)
  expect(article).toContain(`the clock row of the API | ${written} | ${written} | 0 | 0 |`)
  const [, refused = '', replayed = ''] =
    /1 created, (\d+) refused as in progress, (\d+) replayed/.exec(readme) ?? []
  const keys = words(await read('content/articles/idempotency-in-a-clinic.md'))
  expect(keys).toContain(`Another ${refused} met it while it ran`)
  expect(keys).toContain(`The other ${replayed} got its answer again`)
})

test('protocols: pages link to the newest revision that the tool servers speak', async () => {
  const names = [...new Bun.Glob('content/**/*.{md,json,yaml}').scanSync(root)]
  const texts = await Promise.all(names.map(read))
  const linked = texts.flatMap(text =>
    [...text.matchAll(/modelcontextprotocol\.io\/specification\/([^/)\s]+)/g)].map(
      ([, day]) => day,
    ),
  )
  expect(linked.length).toBeGreaterThan(3)
  expect([...new Set(linked)]).toEqual([protocolVersions[0]])
})
