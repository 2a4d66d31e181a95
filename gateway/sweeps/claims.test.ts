// What pages, guides and legal texts say of numbers and of parts that are missing, against the
// place that decides it. A sentence here is built from the fact, so a changed fact fails the page.
import { expect, test } from 'bun:test'
import { SQL } from 'bun'
import path from 'node:path'
import { serverMetadata } from '#auth/oauth/endpoints.ts'
import { rowsMax } from '#clinical/audit/background-writer.ts'
import { catalog } from '#clinical/medications/medication.ts'
import { erasesDeleted, hasWorkingHours } from '#clinical/modes.ts'
import config from '#content/site.config.ts'
import { states } from '#contract/api/address.ts'
import { operationIds, table } from '#contract/api.ts'
import { limits, previewNoticeDays, siteLimits } from '#contract/limits.ts'
import { grantTypes, oauthPaths } from '#contract/oauth.ts'
import { protocolVersions } from '#contract/mcp/servers.ts'
import { allScopes, type MemberRole, roleScopes } from '#contract/scopes.ts'
import { caseStatuses, openCaseStatuses, orderStatuses } from '#contract/states.ts'
import { clinicalTools } from '#contract/tools/tools.ts'
import { sunsetDaysMin } from '#contract/versions.ts'
import { testDatabase } from '#database/testing/database.ts'
import { createLog } from '#http/log.ts'

const root = path.join(import.meta.dir, '../..')
const read = (file: string) => Bun.file(path.join(root, file)).text()

/** The newest version of a legal text. */
function legal(document: string): string {
  const found = [...new Bun.Glob(`legal/${document}-*.md`).scanSync(path.join(root, 'content'))]
  return found.sort().at(-1) ?? ''
}

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  )
const tens = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
/** Nine, twenty or ninety. */
const word = (value: number) => small[value] ?? tens[value / 10] ?? String(value)
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const count = (value: number) => value.toLocaleString('en-US')
const mebibytes = (bytes: number) => `${bytes / 2 ** 20} MiB`
const hours = (seconds: number) => seconds / 3600

const attempts = limits.webhookRetrySeconds.length
const days = (
  limits.webhookRetrySeconds.reduce<number>((sum, wait) => sum + wait, 0) / 86_400
).toFixed(1)
const joinHours = limits.joinOpensMinutesBefore / 60

/** What the code decides about a patient who is deleted, in the word of the pages. */
const keptInLive = erasesDeleted('test') && !erasesDeleted('live') ? 'keeps' : ''

/** Parts of a text, by its file under `content/`. */
const claims: Readonly<Record<string, readonly string[]>> = {
  [legal('terms')]: [
    `its limit of ${siteLimits.ratePerWindow} in ${siteLimits.rateWindowSeconds === 60 ? 'a minute' : ''} from one address`,
  ],
  'pages/changelog.md': [`and ${word(sunsetDaysMin)} days in the API of this site`],
  'pages/security.md': [`${count(rowsMax)} rows at most`],
  'docs/authentication.md': [
    `After ${limits.authFailuresPerWindow} refused credentials a minute from one address`,
    `a key with all ${word(allScopes.length)} scopes`,
  ],
  'docs/cases.md': [
    `one fixed list of ${catalog.length} entries`,
    `\`answers\` takes up to ${limits.answersMax}`,
  ],
  'docs/tool-server.md': [
    `${clinicalTools.length} of the ${operationIds.length} operations are tools, and \`docs_search\` is the ${clinicalTools.length + 1}th`,
    `revisions ${protocolVersions.join(', ').replace(/, (?=\S+$)/, ' and ')}`,
  ],
  'overview.json': [`${clinicalTools.length} operations as tools`],
  'docs/concepts.md': [`a grant of all ${word(allScopes.length)} scopes`],
  'docs/exports.md': [
    `for ${limits.exportHours} hours after it was made`,
    `after ${limits.exportJobDays} days`,
    `over ${limits.exportsPerWindow} exports in ${limits.exportsWindowSeconds === 3600 ? 'an hour' : `${hours(limits.exportsWindowSeconds)} hours`}`,
  ],
  'docs/files.md': [
    `up to ${mebibytes(limits.fileBytesMax)} each`,
    hours(limits.reservationSeconds) === 1 ? 'one hour from now' : '',
  ],
  'docs/idempotency-and-retries.md': [
    `1 to ${limits.idempotencyKeyLengthMax} printable ASCII characters`,
    `at least ${limits.idempotencyHoursPromised} hours`,
  ],
  'docs/limits-and-versions.md': [
    `RateLimit-Policy: "default";q=${limits.ratePerWindow};w=${limits.rateWindowSeconds}`,
    `\`limit\` is 1 to ${limits.pageMax}, and ${limits.pageDefault} if you leave it out`,
    `It may have ${count(limits.bodyBytesMax)} bytes`,
  ],
  'docs/messages-and-questions.md': [`up to ${limits.answersAtOnceMax} answers`],
  'docs/realtime.md': [
    `more than ${limits.realtimeConnectionsMax} connections of one integration in one mode`,
    hours(limits.realtimeTokenSeconds) === 1 ? 'It lives an hour' : '',
  ],
  'docs/sandbox.md': [
    `Seconds from 0 to ${count(limits.autopilotSecondsMax)}`,
    `ends ${limits.sandboxRowDays} days after it was written`,
    `${catalog.length} entries, the same for every integration`,
  ],
  'docs/the-loop.md': [
    `${capital(word(openCaseStatuses.length))} states are open`,
    `The ${word(caseStatuses.length)} states`,
  ],
  'docs/oauth.md': [
    `JSON of at most ${limits.clientDocumentBytesMax / 1024} KB`,
    `answered within ${limits.clientDocumentSeconds} seconds`,
    `"expires_in": ${limits.accessTokenSeconds}`,
    limits.accessTokenSeconds === 3600 ? 'for a token of an hour' : '',
    `A client has ${limits.clientTokensMax} tokens at once`,
    `It may ask ${limits.tokenCallsPerWindow} times a minute`,
    `A code works once, within ${limits.authorizationCodeSeconds} seconds`,
    `which lives ${limits.deviceCodeSeconds / 60} minutes, and poll every \`interval\` seconds, which are ${limits.devicePollSeconds},`,
    `\`slow_down\` means ${word(limits.deviceSlowDownSeconds)} more seconds`,
    `the same successor for ${word(limits.refreshGraceSeconds)} seconds`,
    `rests for ${limits.refreshTokenDays} days ends, and after ${limits.refreshFamilyDays} days`,
  ],
  'docs/prescriptions-and-orders.md': [`the ${word(orderStatuses.length)} statuses of an order`],
  'docs/visits.md': [
    hasWorkingHours('live') ? 'In live a clinic has one calendar for all the programs' : '',
    hasWorkingHours('test') ? '' : 'Each sandbox has a calendar of its own',
    `A window is at most ${limits.slotWindowDays} days`,
    `more than ${limits.bookableDays} days ahead`,
    `from ${word(joinHours)} hour before the start until ${limits.joinClosesMinutesAfter} minutes after the end`,
    `${limits.joinLinkMinutes} minutes later`,
  ],
  'docs/webhooks.md': [
    `${word(attempts)} in ${days} days`,
    `answer 2xx within ${limits.webhookAttemptSeconds} seconds`,
    `${capital(word(limits.webhookFailuresMax))} events in a row that failed`,
    `For ${limits.webhookSecretGraceHours} hours every delivery carries two`,
    `limited to ${word(limits.redeliveriesPerWindow)} a minute`,
    `A replay sends ${limits.replaysPerSecond} events a second at most, and waits while ${limits.replaysWaitingMax} deliveries`,
    `of at most the last ${limits.replayDaysMax} days`,
    `may change ${previewNoticeDays} days after`,
  ],
  'docs/requests.md': [
    `any call of the last ${limits.requestLogDays} days`,
    `may change ${previewNoticeDays} days after`,
  ],
  'articles/agents-and-patient-data.md': [
    `${capital(word(operationIds.filter(id => !table[id].tool).length))} of the ${operationIds.length} operations are not tools`,
  ],
  'articles/live-video-when.md': [
    `A window may be ${limits.slotWindowDays} days at most`,
    `| opens | ${word(joinHours)} hour before the start |`,
    `| closes | ${limits.joinClosesMinutesAfter} minutes after the end |`,
    `| lives | ${limits.joinLinkMinutes} minutes |`,
  ],
  'articles/verifying-identity-age-location.md': ['a state of the USA or DC'],
  'articles/who-may-fill-this.md': [
    orderStatuses
      .map(status => `\`${status}\``)
      .join(', ')
      .replace(/, (?=\S+$)/, ' or '),
  ],
  'articles/who-may-treat-where.md': [
    states.length === 51 ? 'one of the fifty or the District of Columbia' : '',
  ],
  'comparisons/async-vs-video.md': [
    `opens ${word(joinHours)} hour before and lives ${limits.joinLinkMinutes} minutes`,
  ],
  'comparisons/build-vs-integrate.md': [
    `${capital(word(caseStatuses.length))} case states, ${limits.answersMax} answers, ` +
      `${word(new Set(catalog.map(({ category }) => category)).size)} catalog categories`,
  ],
  'articles/leaving-records-and-offboarding.md': [
    `It is there for ${limits.exportHours} hours`,
    `${capital(word(limits.exportsPerWindow))} exports an hour is the limit`,
  ],
  'articles/month-two.md': [
    `how many refills the clinician allowed, up to ${limits.refillsMax}`,
    'the day on which it expires: one year after it was written',
  ],
  'articles/photos-and-files.md': [
    `Up to ${mebibytes(limits.fileBytesMax)} each`,
    `its bytes were never kept | you get 404; the clinic ${keptInLive} the photo, until`,
  ],
  'docs/patients-and-consents.md': [
    `your \`external_id\` | erased | 404 for you; the clinic ${keptInLive} them`,
  ],
}

const texts = Object.entries(claims).map(([file, wanted]) => [file, wanted] as const)

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
  for (const name of names) expect(await read(name)).not.toContain('Live mode is not open')
  expect(config.liveSince === null || /^\d{4}-\d\d-\d\d$/.test(config.liveSince)).toBe(true)
})
