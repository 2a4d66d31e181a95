import { afterAll, beforeAll, expect, test } from 'bun:test'
import path from 'node:path'
import { SQL } from 'bun'
import { openPool } from '#database/pool.ts'
import { type TestDatabase, testDatabase } from '#database/testing/database.ts'
import { sampleBuild, sampleContent } from '../testing/content.ts'
import { writeSampleSite } from '../testing/site.ts'
import { countFeedback, feedbackSince, type PageFeedback } from './count.ts'
import { feedbackEndpoint } from './endpoint.ts'
import { feedbackTable } from './report.ts'

let database: TestDatabase
let owner: SQL
let pool: ReturnType<typeof openPool>
beforeAll(async () => {
  database = await testDatabase()
  owner = new SQL(database.url, { max: 1 })
  pool = openPool({ url: database.urls.site, size: 4, name: 'feedback', path: 'site, public' })
})
afterAll(async () => {
  await Promise.all([owner.close(), pool.close()])
  await database.close()
})

const build = sampleBuild(writeSampleSite())
const routeWith = (feedback: ReturnType<typeof countFeedback> | null) =>
  sampleContent({
    build: () => build,
    more: [feedbackEndpoint({ feedback, site: () => build.site })],
  })
const post = (
  body: string,
  {
    type = 'application/json',
    route = routeWith(countFeedback(pool)),
    address = '203.0.113.7',
  } = {},
) =>
  route(
    new Request('http://localhost/api/feedback', {
      method: 'POST',
      body,
      headers: { 'content-type': type },
    }),
    address,
  )
const rows = () => owner`select page, answer, count from site.page_feedback order by 1, 2`
const asJson = (page: string, answer: string) => JSON.stringify({ page, answer })

test('feedback: each concurrent answer is counted, and no row identifies a person', async () => {
  await Promise.all(Array.from({ length: 20 }, () => post(asJson('/pricing', 'yes'))))
  const answer = await post(asJson('/pricing', 'unclear'))
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { page: '/pricing', answer: 'unclear' },
  ])
  expect([...(await rows())]).toEqual([
    { page: '/pricing', answer: 'unclear', count: 1 },
    { page: '/pricing', answer: 'yes', count: 20 },
  ])
  const columns = await owner`
    select column_name as name from information_schema.columns
     where table_schema = 'site' and table_name = 'page_feedback' order by 1`
  expect(columns.map(({ name }: { name: string }) => name)).toEqual([
    'answer',
    'count',
    'day',
    'page',
  ])
})

test('feedback: a form sent without JavaScript returns to its page', async () => {
  const type = 'application/x-www-form-urlencoded'
  const answer = await post('page=%2Fblog%2Ffirst-visit&answer=wrong', { type })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/blog/first-visit#thanks'])
  expect((await rows()).map(({ page }: { page: string }) => page)).toContain('/blog/first-visit')
})

test('feedback: a missing page, an unknown answer and other fields are refused', async () => {
  const before = await rows()
  const wrong: [body: object, pointers: string[]][] = [
    [{}, ['#/page', '#/answer']],
    [{ page: '/pricing' }, ['#/answer']],
    [{ page: '/pricing', answer: 'perhaps' }, ['#/answer']],
    [{ page: 7, answer: 'yes' }, ['#/page']],
    [{ page: '/no-such-page', answer: 'yes' }, ['#/page']],
    [{ page: '//elsewhere.example/', answer: 'yes' }, ['#/page']],
    [{ page: `/${'x'.repeat(300)}`, answer: 'yes' }, ['#/page']],
    [{ page: '/pricing', answer: 'yes', note: 'Ada Rivera' }, ['#/note']],
  ]
  for (const [body, pointers] of wrong) {
    const answer = await post(JSON.stringify(body))
    expect([body, answer.status]).toEqual([body, 400])
    const problem = await answer.json()
    expect(problem).toMatchObject({ code: 'invalid_request', hint: expect.any(String) })
    expect(problem.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers)
    expect(JSON.stringify(problem)).not.toContain('Ada')
  }
  expect((await post('yes', { type: 'text/plain' })).status).toBe(415)
  expect([...(await rows())]).toEqual([...before])
})

test('feedback: one address is limited per hour, and another still counts', async () => {
  const route = routeWith(countFeedback(pool))
  const send = (address: string) => post(asJson('/about', 'yes'), { route, address })
  // A page without a Markdown version doesn't accept feedback.
  expect((await send('198.51.100.1')).status).toBe(400)
  const sent = (address: string) => post(asJson('/', 'yes'), { route, address })
  for (let at = 0; at < 60; at++) {
    expect((await sent('198.51.100.2')).status).toBe(200)
  }
  const refused = await sent('198.51.100.2')
  expect([refused.status, (await refused.json()).code]).toEqual([429, 'rate_limited'])
  expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 3601)
  expect((await sent('198.51.100.3')).status).toBe(200)
})

test('feedback: a preview stores nothing, and reports that', async () => {
  const before = await rows()
  const answer = await post(asJson('/pricing', 'yes'), { route: routeWith(null) })
  expect([answer.status, answer.headers.get('service-dry-run')]).toEqual([200, 'true'])
  expect([...(await rows())]).toEqual([...before])
})

test('feedback report: the least helpful page comes first', async () => {
  await owner`delete from site.page_feedback`
  const count = countFeedback(pool)
  for (const answer of ['yes', 'yes', 'yes', 'missing'] as const) await count('/docs/files', answer)
  for (const answer of ['unclear', 'wrong', 'yes'] as const) await count('/docs/visits', answer)
  await owner`
    insert into site.page_feedback values ('/docs/files', current_date - 100, 'other', 50)`
  const found = await pool.use(connection => connection.run<PageFeedback>(feedbackSince(90)))
  expect(feedbackTable(found, 90).split('\n')).toEqual([
    'page          helped  yes  missing  unclear  wrong  other',
    '/docs/visits    33 %    1        0        1      1      0',
    '/docs/files     75 %    3        1        0      0      0',
  ])
  expect(feedbackTable([], 7)).toBe('No answers in the last 7 days.')
})

test('npm run admin -- feedback: prints the report, and its usage for an unknown option', async () => {
  await owner`delete from site.page_feedback`
  await countFeedback(pool)('/docs/files', 'yes')
  const run = async (...args: string[]) => {
    const command = [process.execPath, 'gateway/commands/admin.ts', 'feedback', ...args]
    const child = Bun.spawn(command, {
      cwd: path.join(import.meta.dir, '../..'),
      env: { ...process.env, DATABASE_URL: database.url },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const texts = [child.stdout, child.stderr].map(one => new Response(one).text())
    return { text: (await Promise.all(texts)).join(''), code: await child.exited }
  }
  const [usual, wrong, apart] = await Promise.all([run(), run('--weeks=2'), run('--days', '7')])
  expect([apart.code, apart.text]).toEqual([0, usual.text])
  expect([usual.code, usual.text]).toEqual([0, expect.stringMatching(/\/docs\/files +100 % +1/)])
  expect([wrong.code, wrong.text]).toEqual([
    2,
    expect.stringContaining('npm run admin -- feedback [--days=90]'),
  ])
})
