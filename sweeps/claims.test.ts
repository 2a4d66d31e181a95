// What pages, guides and legal texts say of numbers and of parts that are missing, against the
// place that decides it. A sentence here is built from the fact, so a changed fact fails the page.
import { expect, test } from 'bun:test'
import { SQL } from 'bun'
import { serverMetadata } from '#auth/oauth/endpoints.ts'
import { modeSentences } from '#content/fill.ts'
import config from '#content/site.config.ts'
import { grantTypes, oauthPaths } from '#contract/oauth.ts'
import { allScopes, type MemberRole, roleScopes } from '#contract/scopes.ts'
import { testDatabase } from '#database/testing/database.ts'
import { createLog } from '#http/log.ts'
import { articleClaims } from './testing/article-claims.ts'
import { guideClaims } from './testing/guide-claims.ts'
import { legal, read, root } from './testing/pages.ts'

const texts = Object.entries({ ...guideClaims, ...articleClaims }).map(
  ([file, wanted]) => [file, wanted] as const,
)

test.each(texts)('%s states the numbers that the code has', async (file, wanted) => {
  const text = (await read(`content/${file}`)).replace(/\s+/g, ' ')
  for (const claim of wanted) {
    expect(claim).not.toBe('')
    expect([claim, text.includes(claim)]).toEqual([claim, true])
  }
})

test('billing: the guides say the price of a visit where no other one was agreed', async () => {
  const database = await testDatabase()
  const owner = new SQL(database.url, { max: 1 })
  const [price] = await owner`
    select amount::int as amount, currency from billing.prices
     where kind = 'video_visit' and integration is null and organization is null`
  await owner.close()
  await database.close()
  const said = `\`${price.amount}\` with \`${price.currency}\` is ${price.amount / 100} dollars, the price of a visit`
  expect(await read('content/docs/billing.md')).toContain(said)
  expect(await read('content/docs/visits.md')).toContain(`"amount": ${price.amount}`)
  const major = `it has ${(price.amount / 100).toFixed(2)} ${price.currency}`
  expect(await read('content/pricing.json')).toContain(major)
})

test('privacy: the audit stores an address and an agent, and the log neither', async () => {
  const privacy = (await read(`content/${legal('privacy')}`)).replace(/\s+/g, ' ')
  const audit = await read('database/migrations/0003_audit.sql')
  expect(audit).toMatch(/^ {2}address text,$/m)
  expect(audit).toMatch(/^ {2}agent text,$/m)
  expect(audit).toContain('before update or delete on audit.entries')
  expect(privacy).toContain('the outcome, the IP address and the `User-Agent`')
  expect(privacy).toContain('Rows are never changed and never deleted')
  const actors = await read('database/migrations/0021_audit_actor.sql')
  for (const column of ['person', 'client']) expect(actors).toMatch(`add column ${column} text`)
  expect(await read('database/migrations/0043_audit_shape.sql')).toMatch(/add column shape/)
  expect(privacy).toContain('the id of the person with an account for whom it called')
  expect(privacy).toContain('the names and types of the fields that it sent')
  let line = ''
  const log = createLog('json', text => (line += text))
  const url = '/search?q=headache'
  const route = '/search'
  log.request({ method: 'GET', route, url, status: 200, milliseconds: 1, requestId: 'req_1' })
  log.flush()
  const written = ['time', 'event', 'method', 'path', 'status', 'ms', 'request_id']
  expect(Object.keys(JSON.parse(line))).toEqual(written)
  expect(line).not.toContain('headache')
  expect(privacy).toContain('The log has no IP address and nothing that you typed')
})

const words = (text: string) => text.replace(/\s+/g, ' ')
const oauthGuide = async () => words(await read('content/docs/oauth.md'))

test('oauth: the guide names the grants and the endpoints that the server has', async () => {
  const guide = await oauthGuide()
  const asked = [...guide.matchAll(/\$AUTH(\/[\w./-]+)/g)].map(([, found]) => found)
  expect(asked.length).toBeGreaterThan(5)
  expect(Object.values(oauthPaths)).toEqual(expect.arrayContaining(asked))
  const metadata: Record<string, unknown> = JSON.parse(
    serverMetadata('https://auth.example.com', ''),
  )
  for (const grant of grantTypes) expect(guide).toContain(grant)
  expect(metadata['grant_types_supported']).toEqual(grantTypes)
  expect(guide).toContain('(Client ID Metadata Document)')
  expect(metadata).toMatchObject({ client_id_metadata_document_supported: true })
  // What the guide says is not there.
  expect(JSON.stringify(metadata)).not.toMatch(/openid|jwks|userinfo/)
  expect(guide).toContain('- OpenID Connect: there are no ID tokens')
})

test('oauth: the guide says what a member gives, as the roles have it', async () => {
  const given = (role: MemberRole) => roleScopes[role].map(scope => `\`${scope}\``).join(' and ')
  expect(roleScopes).toMatchObject({ owner: allScopes, developer: allScopes })
  expect(roleScopes.viewer).toEqual(allScopes.filter(scope => scope.endsWith(':read')))
  expect(await oauthGuide()).toContain(
    `an owner or a developer any scope, a viewer those that read, and billing ${given('billing')}`,
  )
})

test('every page that says which credentials there are knows of both', async () => {
  const names = [...new Bun.Glob('content/**/*.{md,json,yaml}').scanSync(root)]
  const texts = await Promise.all(names.map(read))
  for (const text of texts) {
    expect(words(text)).not.toMatch(
      /(?:is|are) the only credential|no other credential|There is no OAuth/,
    )
  }
})

test('prescriptions: what pages say is not done yet is done nowhere', async () => {
  const names = [...new Bun.Glob('clinical/**/*.ts').scanSync(root)].filter(
    name => !/\.test\.ts$|\/testing\//.test(name),
  )
  expect(names.length).toBeGreaterThan(100)
  const code = (await Promise.all(names.map(read))).join('\n')
  expect(code).not.toMatch(/prescriptions[^;]{0,200}'expired'/)
  expect(await read('content/docs/prescriptions-and-orders.md')).toContain('nothing sets it yet')
})

test('live mode: every page that says whether it is open reads it from the configuration', async () => {
  const names = [...new Bun.Glob('content/**/*.{md,json,yaml}').scanSync(root)]
  const saying = await Promise.all(
    names.map(async name => ((await read(name)).includes('{live}') ? [name] : [])),
  )
  expect(saying.flat().length).toBeGreaterThan(8)
  for (const name of names) {
    expect(await read(name)).not.toMatch(
      /Live mode is not open|\b[Ss]erved,? in test mode|open in test mode/,
    )
  }
  expect(modeSentences(null).modes).toBe('in test mode')
  expect(Object.values(modeSentences('2027-01-02')).join(' ')).not.toMatch(/not open|in test mode/)
  expect(config.liveSince === null || /^\d{4}-\d\d-\d\d$/.test(config.liveSince)).toBe(true)
})
