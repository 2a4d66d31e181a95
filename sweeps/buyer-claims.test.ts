// What the articles for buyers say of the agreement, of live mode, and of parts that are missing,
// against the place that decides it.
import { expect, test } from 'bun:test'
import path from 'node:path'
import { operationIds, table } from '#contract/api.ts'
import { limits } from '#contract/limits.ts'

const root = path.dirname(import.meta.dir)
const read = async (file: string) =>
  (await Bun.file(path.join(root, file)).text()).replace(/\s+/g, ' ')
const article = (name: string) => read(`content/articles/${name}.md`)

const newestAgreement = async () => {
  const texts = [...new Bun.Glob('agreement/*.md').scanSync(path.join(root, 'content'))]
  return read(`content/${texts.sort().at(-1) ?? ''}`)
}

/** The hours after which a breach must be reported; each side promises the same. */
async function hoursToReport(): Promise<string> {
  const newest = await newestAgreement()
  expect(newest).toContain(`you have ${limits.agreementGraceDays} days to accept it`)
  const found = [...newest.matchAll(/within (\d+) hours of its discovery/g)].map(([, each]) => each)
  expect(found).toHaveLength(2)
  expect(new Set(found).size).toBe(1)
  return found[0] ?? ''
}

test('agreement: a page says that the sandbox is outside it, as its text does', async () => {
  expect(await newestAgreement()).toContain('The sandbox is outside this agreement')
  expect(await article('what-a-baa-covers')).toContain('Our sandbox is outside the agreement.')
})

test('agreement: pages that state its hours and days state those of its text', async () => {
  const hours = await hoursToReport()
  const covers = await article('what-a-baa-covers')
  expect(covers).toContain(`Our agreement says ${hours} hours in both directions`)
  expect(covers).toContain(`has to be accepted within ${limits.agreementGraceDays} days`)
  expect(await article('pixels-mhmda-ftc')).toContain(`ours is ${hours} hours`)
  expect(await article('vendor-security-packet')).toContain(`| ${hours} hours, in the agreement |`)
})

test('live mode: the plan for going live has the conditions and the days that the portal has', async () => {
  const plan = await article('going-live-week-by-week')
  const conditions = await read('portal/pages/organization/go-live.tsx')
  const steps = /const steps: Condition\[\] = \[(.*?)\]/.exec(conditions)?.[1] ?? ''
  expect(steps.match(/\w+Step\(/g)).toHaveLength(4)
  expect(plan).toContain('What are the four conditions')
  expect(
    plan.match(/\d\. \*\*(The agreement|A clinic|There is a live key|The first)/g),
  ).toHaveLength(4)
  const requests = await read('database/migrations/0045_grant_requests.sql')
  const stored = /lapses_at\) values \((.*?)\) (?:on|returning)/.exec(requests)?.[1] ?? ''
  expect(stored).toContain("interval '30 days'")
  expect(plan).toContain('A request without an answer lapses after 30 days')
})

test('live mode: a plan names what `npm start` writes for it', async () => {
  const plan = await article('going-live-week-by-week')
  const stored = await read('README.md')
  for (const name of ['`live_key`', '`staff`', '`console_url`']) {
    expect(stored).toContain(name)
    expect(plan).toContain(name)
  }
  expect(plan).toContain('`Service-Environment: local`')
  expect(await read('gateway/local/marks.ts')).toMatch(/service-environment/i)
})

test('missing parts: pages say what is not checked or served while the contract has nothing for it', async () => {
  const patient = JSON.stringify(table.createPatient)
  expect(patient).toContain('date_of_birth')
  expect(patient).not.toMatch(/guardian|verified|minimum_age/i)
  const identity = await article('verifying-identity-age-location')
  expect(identity).toContain('Does the API check identity documents? No.')
  expect(identity).toContain('This API has no role for a guardian')
  expect(operationIds.filter(id => /refill|subscription/i.test(id))).toEqual([])
  expect(await article('month-two')).toContain(
    'Does the API send refills or charge subscriptions? No to both.',
  )
  expect(operationIds.filter(id => /fhir|pharmac/i.test(id))).toEqual([])
  expect(await read('content/comparisons/rest-vs-fhir.md')).toContain(
    'Does the API support FHIR? No, in neither direction',
  )
  const fills = await article('who-may-fill-this')
  expect(fills).toContain('It can in live mode, where the clinic has connected one')
  expect(fills).toContain('your software has no part in it')
})

test('live mode: the packet names what a gateway needs before it serves live calls', async () => {
  const packet = await article('vendor-security-packet')
  const needed = await read('gateway/live/requirements.ts')
  for (const part of ['verify-full', 'archive_mode', 'KEY_PEPPER', 'SMTP_URL', 'S3_BUCKET']) {
    expect([part, needed.includes(part)]).toEqual([part, true])
  }
  expect(packet).toContain('or an archived log refuses live calls with 503')
})

test('security: the packet and the page on security deny the same reports', async () => {
  const [packet, page] = await Promise.all([
    article('vendor-security-packet'),
    read('content/pages/security.md'),
  ])
  expect(page).toContain('No outside firm has tested or audited this')
  expect(packet).toContain('No outside firm has tested or audited this')
  expect(page).toContain('A person answers within three working days')
  expect(packet).toContain('a person answers in three working days')
})
