// What guides, pages and legal texts say, by their file under `content/`: each text is made of the
// value that decides it.
import { mintKey } from '#auth/tokens.ts'
import { rowsMax } from '#clinical/audit/background-writer.ts'
import { catalog } from '#clinical/medications/medication.ts'
import { hasWorkingHours } from '#clinical/modes.ts'
import { operationIds } from '#contract/api.ts'
import { fileLimits } from '#contract/console/files.ts'
import { limits, previewNoticeDays, siteLimits } from '#contract/limits.ts'
import { protocolVersions } from '#contract/mcp/servers.ts'
import { pharmacyLimits, transmissionSchedule } from '#contract/pharmacy/protocol.ts'
import { allScopes } from '#contract/scopes.ts'
import { caseStatuses, openCaseStatuses, orderStatuses } from '#contract/states.ts'
import { clinicalTools } from '#contract/tools/tools.ts'
import { sunsetDaysMin } from '#contract/versions.ts'
import { neverFilled } from './article-claims.ts'
import { historyDays } from '#gateway/status/history.ts'
import {
  attempts,
  capital,
  count,
  found,
  hours,
  joinHours,
  keptInLive,
  legal,
  mebibytes,
  read,
  requestDays,
  retryDays,
  tolerance,
  word,
} from './pages.ts'

const invoicing = 'database/migrations/0122_invoicing.sql'
/** How old a second factor may be, in seconds. */
const fresh = await found('portal/router.tsx', /freshSeconds = (\d+)/)
const messageMax = await found('contract/api/thread.ts', /body: text\(1, (\d+), /)
/** Days before the end of a live key on which its owners are emailed. */
const notices =
  /unnest\(array\[([\d, ]+)\]\)/.exec(
    await read('database/migrations/0131_acts_of_the_worker.sql'),
  )?.[1] ?? ''
const retryAfterMax = await found('clients/generate/transport.ts', /retryAfterSecondsMax: (\d+)/)
/** Seconds before the end of a realtime token at which the command line renews it. */
const renewal =
  60 * (await found('clients/cli/src/realtime/stream.ts', /renewBeforeMs: (\d+) \* 60_000/))
/** The waits of the schedule as the guide lists them. */
const [, , , ...longWaits] = limits.webhookRetrySeconds.slice(1).map(hours)
const waits = `1 minute, 5 minutes, 30 minutes, ${longWaits.join(', ').replace(/, (?=\d+$)/, ' and ')}`

const policyDays = await found(
  'database/migrations/0133_retention.sql',
  /clock_timestamp\(\) \+ interval '(\d+) days'/,
)
const emergencyHours = await found(
  'database/migrations/0162_emergency_access_of_clinics.sql',
  /clock_timestamp\(\) \+ interval '(\d+) hours'/,
)

/** Seconds to the attempts of a prescription, and how they are listed. */
const [firstPause, ...pauses] = transmissionSchedule
const inMinutes = pauses.filter(pause => pause < 3600).map(pause => pause / 60)
const inHours = pauses.filter(pause => pause >= 3600).map(hours)
const listed = (numbers: readonly number[]) => numbers.join(', ').replace(/, (?=\d+$)/, ' and ')
const transmitting = hours(transmissionSchedule.reduce<number>((sum, pause) => sum + pause, 0))

export const guideClaims: Readonly<Record<string, readonly string[]>> = {
  [legal('terms')]: [
    `its limit of ${siteLimits.ratePerWindow} in ${siteLimits.rateWindowSeconds === 60 ? 'a minute' : ''} from one address`,
  ],
  'pages/changelog.md': [`and ${word(sunsetDaysMin)} days in the API of this site`],
  'pages/security.md': [
    `${count(rowsMax)} rows at most`,
    `keeps a part of it for ${limits.requestLogDays} days`,
  ],
  'docs/authentication.md': [
    `After ${limits.authFailuresPerWindow} refused credentials a minute from one address`,
    `a key with all ${word(allScopes.length)} scopes`,
    `A key has ${mintKey('test', new Uint8Array(32)).length} characters`,
    `key with all ${word(allScopes.length)} scopes`,
    `are emailed ${notices.replace(/, (?=\d+$)/, ' and ')} days before it ends`,
  ],
  'docs/cases.md': [
    `one fixed list of ${catalog.length} entries`,
    `\`answers\` takes up to ${limits.answersMax}`,
  ],
  'docs/tool-server.md': [
    `${clinicalTools.length} of the ${operationIds.length} operations are tools, and \`docs_search\` is the ${clinicalTools.length + 1}th`,
    `revisions ${protocolVersions.join(', ').replace(/, (?=\S+$)/, ' and ')}`,
    `or after ${limits.refreshFamilyDays} days`,
  ],
  'overview.json': [`${clinicalTools.length} operations as tools`],
  'docs/concepts.md': [
    `a grant of all ${word(allScopes.length)} scopes`,
    `grant of all ${word(allScopes.length)} scopes`,
    `not older than ${word(fresh / 60)} minutes`,
    `has to be accepted within ${limits.agreementGraceDays} days`,
    `lapses after ${requestDays} days`,
  ],
  'docs/exports.md': [
    `for ${limits.exportHours} hours after it was made`,
    `after ${limits.exportJobDays} days`,
    `over ${limits.exportsPerWindow} exports in ${limits.exportsWindowSeconds === 3600 ? 'an hour' : `${hours(limits.exportsWindowSeconds)} hours`}`,
    `for ${limits.exportHours} hours`,
    `its ${limits.exportHours} hours are over`,
    `older than ${limits.exportJobDays} days`,
    `download it in ${limits.exportHours} hours`,
  ],
  'docs/files.md': [
    `up to ${mebibytes(limits.fileBytesMax)} each`,
    hours(limits.reservationSeconds) === 1 ? 'one hour from now' : '',
    `over ${mebibytes(limits.fileBytesMax)}`,
    `more than ${fileLimits.pagesMax} pages`,
  ],
  'docs/idempotency-and-retries.md': [
    `1 to ${limits.idempotencyKeyLengthMax} printable ASCII characters`,
    `at least ${limits.idempotencyHoursPromised} hours`,
    `over ${limits.idempotencyKeyLengthMax} characters`,
  ],
  'docs/limits-and-versions.md': [
    `RateLimit-Policy: "default";q=${limits.ratePerWindow};w=${limits.rateWindowSeconds}`,
    `\`limit\` is 1 to ${limits.pageMax}, and ${limits.pageDefault} if you leave it out`,
    `It may have ${count(limits.bodyBytesMax)} bytes`,
    `${limits.authFailuresPerWindow} in ${limits.authWindowSeconds} seconds`,
    `over ${count(limits.bodyBytesMax)} bytes`,
  ],
  'docs/messages-and-questions.md': [
    `up to ${limits.answersAtOnceMax} answers`,
    `Text is plain, up to ${count(messageMax)} characters`,
    `the ${count(messageMax)} characters that a message may hold`,
  ],
  'docs/realtime.md': [
    `more than ${limits.realtimeConnectionsMax} connections of one integration in one mode`,
    hours(limits.realtimeTokenSeconds) === 1 ? 'It lives an hour' : '',
    `${word(attempts)} attempts over ${retryDays} days`,
    `every ${(limits.realtimeTokenSeconds - renewal) / 60} minutes keeps a gap`,
  ],
  'docs/sandbox.md': [
    `Seconds from 0 to ${count(limits.autopilotSecondsMax)}`,
    `ends ${limits.sandboxRowDays} days after it was written`,
    `${catalog.length} entries, the same for every integration`,
    `with all ${word(allScopes.length)} scopes granted`,
    `the ${word(attempts)} attempts`,
    `the ${limits.webhookSecretGraceHours} hours of a secret`,
    `the ${word(limits.sandboxRowDays)} days after which a row ends`,
    `at most`,
    `${limits.clockAdvanceDays} days`,
    `may change ${previewNoticeDays} days after`,
    `## ${capital(word(limits.sandboxRowDays))} days`,
    `${word(catalog.filter(({ dispensable }) => !dispensable).length)} entries that are never filled`,
    `are sold over the counter: ${neverFilled.join(' and ')}`,
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
    `between ${word(limits.clientDocumentFreshSecondsMin / 60)} minutes and a day`,
    `at most ${word(fresh / 60)} minutes old`,
  ],
  'docs/prescriptions-and-orders.md': [
    `the ${word(orderStatuses.length)} statuses of an order`,
    limits.prescriptionYears === 1 ? 'A prescription expires one year after it was written' : '',
  ],
  'docs/visits.md': [
    hasWorkingHours('live') ? 'In live a clinic has one calendar for all the programs' : '',
    hasWorkingHours('test') ? '' : 'Each sandbox has a calendar of its own',
    `A window is at most ${limits.slotWindowDays} days`,
    `more than ${limits.bookableDays} days ahead`,
    `from ${word(joinHours)} hour before the start until ${limits.joinClosesMinutesAfter} minutes after the end`,
    `${limits.joinLinkMinutes} minutes later`,
    `until ${limits.joinClosesMinutesAfter} minutes after`,
    `its own ${limits.joinLinkMinutes} minutes`,
    `older than ${limits.joinLinkMinutes} minutes`,
    `longer than ${limits.slotWindowDays} days`,
  ],
  'docs/video-room.md': [
    `| first possible | ${word(joinHours)} hour before the start |`,
    `| last possible | ${limits.joinClosesMinutesAfter} minutes after the end |`,
    `| a browser can enter by a link for | ${limits.joinLinkMinutes} minutes |`,
    `can come back | until ${limits.joinClosesMinutesAfter} minutes after the end |`,
    `${word(limits.joinTriesMax)} wrong dates close the link`,
    `it was wrong ${word(limits.joinTriesMax)} times`,
    `its ${limits.joinLinkMinutes} minutes`,
    `open ${limits.joinClosesMinutesAfter} minutes after the planned end`,
  ],
  'docs/pharmacies.md': [
    `tried ${word(transmissionSchedule.length + 1)} times within ${word(Math.ceil(transmitting))} hours: after ${firstPause} seconds, then ${listed(inMinutes)} minutes, and ${listed(inHours)} hours`,
    `accepted with either secret for ${pharmacyLimits.secretGraceHours} hours`,
  ],
  'docs/webhooks.md': [
    `${word(attempts)} in ${retryDays} days`,
    `answer 2xx within ${limits.webhookAttemptSeconds} seconds`,
    `${capital(word(limits.webhookFailuresMax))} events in a row that failed`,
    `For ${limits.webhookSecretGraceHours} hours every delivery carries two`,
    `limited to ${word(limits.redeliveriesPerWindow)} a minute`,
    `A replay sends ${limits.replaysPerSecond} events a second at most, and waits while ${limits.replaysWaitingMax} deliveries`,
    `of at most the last ${limits.replayDaysMax} days`,
    `may change ${previewNoticeDays} days after`,
    `${limits.webhookAttemptSeconds} seconds without one`,
    `is kept encrypted for ${limits.sandboxRowDays} days`,
    `${waits} hours after the one before: ${word(attempts)} in ${retryDays} days`,
  ],
  'docs/requests.md': [
    `any call of the last ${limits.requestLogDays} days`,
    `may change ${previewNoticeDays} days after`,
    `More than ${limits.requestLogDays} days`,
  ],
  'docs/patients-and-consents.md': [
    `your \`external_id\` | erased | 404 for you; the clinic ${keptInLive} them`,
    `until their ${limits.sandboxRowDays} days are over`,
  ],
  'docs/agents-and-tools.md': [
    `calls of the last ${await found('portal/pages/credentials/agent-calls.tsx', /did in the last (\d+) days</)} days`,
  ],
  'docs/billing.md': [
    `the charges of ${word(await found('clinical/billing/months.ts', /months = (\d+)/))} months`,
    `A window is ${limits.usageWindowDays} days at most`,
    `It is payable for ${await found(invoicing, /issued \+ interval '(\d+) days'/)} days`,
    `given up ${await found(invoicing, /due_at \+ interval '(\d+) days'/)} days after it was due`,
  ],
  'docs/live.md': [
    `a policy counts ${word(policyDays)} days after it was set`,
    `an administrator reads records for ${emergencyHours} hours`,
    `does not answer within ${requestDays} days has lapsed`,
    `has to be accepted within ${limits.agreementGraceDays} days`,
  ],
  'docs/portal.md': [
    `a proof of the last ${word(fresh / 60)} minutes`,
    `It works for ${word(await found('database/migrations/0036_members.sql', /expires_at .* interval '(\d+) days'/))} days`,
    `set both anew after ${await found('database/migrations/0047_accounts.sql', /effective_at = clock_timestamp\(\) \+ interval '(\d+) hours'/)} hours`,
    `its calls of ${limits.requestLogDays} days`,
  ],
  'docs/sdks.md': [
    `names up to ${retryAfterMax} seconds`,
    `for ${word((2 * tolerance) / 60)} minutes or more: twice the tolerance`,
  ],
  'pages/developers.md': [
    `with ${previewNoticeDays} days' notice`,
    `${clinicalTools.length} of the operations as tools`,
  ],
  'pages/check-a-signature.md': [`more than ${tolerance} seconds from your clock`],
  'pages/status.md': [
    `The counts are kept for ${historyDays} days`,
    `on the last ${word(historyDays)} days`,
  ],
}
