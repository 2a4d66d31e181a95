// Every console page that a person opens, in a clinic with 100,000 cases: the time to the full
// response, while one staff member per role reads one page after another.
import { SQL } from 'bun'
import type { ConsolePage } from '#contract/console/page.ts'
import { staffRoles } from '#contract/console/row.ts'
import { consolePages as rows } from '#contract/console/table.ts'
import { addStaff, openConsolePages } from '#console/testing/console.ts'
import type { Cluster } from '../harness/environment.ts'
import { fixturesIn } from '../harness/fixtures.ts'
import type { Options } from '../harness/options.ts'
import { measurePages, type Pages } from '../pages/pages.ts'
import type { Result } from '../harness/rounds.ts'
import { targetOf } from '../targets.ts'
import { fillClinic, states } from './fill-clinic.ts'

/** Added to a URL to show a filtered list. */
const filtered = [
  '/queue?view=mine',
  '/queue?view=waiting',
  '/decided?by=me',
  '/orders?status=delivered',
  '/patients?q=sam',
  '/search?q=example',
]

/** An open case, and the rest of its patient's record. The patient has 20 cases. */
const examples = `
  select c.id as cases, c.patient as patients, o.id as orders, v.id as visits
    from live.cases c
    join live.orders o on o.tenant = c.tenant and o.patient = c.patient
    join live.visits v on v.tenant = c.tenant and v.patient = c.patient
   where c.status = 'queued' order by c.id desc limit 1`

type Example = Readonly<Record<string, string>>

/**
 * Leaves out pages of documents, grants and a visit in progress, because these pages need more than
 * rows.
 */
function pathsOf(example: Example, person: string): string[] {
  const ids: Example = { ...example, staff: person }
  const plain = Object.values(rows as Record<string, ConsolePage>)
    .filter(({ method, path }) => method === 'GET' && !/\.(csv|json)$/.test(path))
    .map(({ path }) =>
      path
        .replace('/{organization}', '')
        .replaceAll(/\/(\w+)\/\{id\}/g, (all, kind: string) =>
          ids[kind] === undefined ? all : `/${kind}/${ids[kind]}`,
        ),
    )
    .filter(path => path !== '/' && !/\{|\/(room|join|thread)$/.test(path))
  return [...plain, ...filtered]
}

export async function consolePages(options: Options, cluster: Cluster): Promise<Result> {
  const size = options.isShort
    ? { integrations: 2, cases: 2000, visits: 2000 }
    : { integrations: 50, cases: 100_000, visits: 10_000 }
  return cluster.withEnvironment('pages', async environment => {
    const fixtures = await fixturesIn(environment)
    await fillClinic(fixtures, size)
    const organization = fixtures.clinic
    const { person, token } = await addStaff(fixtures, { roles: staffRoles, organization, states })
    const connection = new SQL(fixtures.database.url, { max: 1 })
    const [example] = await connection.unsafe<Example[]>(examples)
    await connection.close()
    const pages: Pages = {
      of: 'console',
      open: () => openConsolePages(fixtures),
      home: `/${organization}`,
      paths: pathsOf(example ?? {}, person),
      cookie: `console_session=${token}`,
      visits: 20,
      target: targetOf('P21 page'),
      largeRows: size.cases / 10,
    }
    const result = await measurePages(pages, options, environment)
    await fixtures.close()
    return result
  })
}
