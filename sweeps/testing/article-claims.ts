// What articles and comparisons say of the product, by their file under `content/`: each text is
// made of the value that decides it.
import { catalog } from '#clinical/medications/medication.ts'
import { operationIds, table } from '#contract/api.ts'
import { states } from '#contract/api/address.ts'
import { fileLimits } from '#contract/console/files.ts'
import { limits } from '#contract/limits.ts'
import { caseStatuses, orderStatuses } from '#contract/states.ts'
import { clinicalTools } from '#contract/tools/tools.ts'
import {
  attempts,
  capital,
  count,
  found,
  joinHours,
  keptInLive,
  mebibytes,
  requestDays,
  retryDays,
  tolerance,
  word,
} from './pages.ts'

/** The entries that are sold over the counter, which pages name for their readers to copy. */
export const neverFilled = catalog
  .filter(({ dispensable }) => !dispensable)
  .map(({ medication_id }) => `\`${medication_id}\``)

export const articleClaims: Readonly<Record<string, readonly string[]>> = {
  'articles/agents-and-patient-data.md': [
    `${capital(word(operationIds.filter(id => !table[id].tool).length))} of the ${operationIds.length} operations are not tools`,
    `${clinicalTools.length + 1} tools over the same operations`,
    `the link is valid for ${limits.joinLinkMinutes} minutes`,
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
    limits.reservationSeconds === 3600 ? 'A reservation lives one hour' : '',
    `more than ${fileLimits.pagesMax} pages`,
  ],
  'articles/consent-versions.md': [
    `Up to ${await found('contract/api/patients.ts', /version: text\(1, (\d+)/)} characters`,
  ],
  'articles/going-live-week-by-week.md': [`lapses after ${requestDays} days`],
  'articles/idempotency-in-a-clinic.md': [
    `1 to ${limits.idempotencyKeyLengthMax} printable ASCII characters`,
    `at least ${limits.idempotencyHoursPromised} hours`,
  ],
  'articles/intake-questions-that-work.md': [
    `hold ${count(await found('contract/api/cases.ts', /answer: text\(0, (\d+)/))} characters, and a case ${limits.answersMax} answers`,
  ],
  'articles/poll-without-losing-events.md': [
    `${limits.ratePerWindow / limits.rateWindowSeconds} events a second, which is what an integration may write`,
    `an integration ${limits.ratePerWindow / limits.rateWindowSeconds} requests a second`,
    `can be read for ${limits.sandboxRowDays} days`,
  ],
  'articles/sandbox-before-live.md': [
    `Rows are deleted ${limits.sandboxRowDays} days after they are written`,
    limits.webhookRetrySeconds[1] === 60 ? '`next_attempt_at` is a minute away' : '',
    `For row 3, ${neverFilled[0]} is such an entry`,
  ],
  'articles/webhooks-you-can-trust.md': [
    `What the ${word(attempts)} attempts of the retry schedule`,

    `more than ${tolerance} seconds away is refused`,
    `For the next ${limits.webhookSecretGraceHours} hours each delivery`,
    `We wait ${limits.webhookAttemptSeconds} seconds`,
    `each of the ${word(attempts)} attempts`,
    `up to ${word(attempts)} in all`,
    `${capital(word(limits.webhookFailuresMax))} failed events in a row`,
    limits.webhookFailuresNotified === 10
      ? 'at the first failed event of such a row, at the tenth and at the end'
      : '',
    `in test mode for ${limits.sandboxRowDays} days`,
  ],
  'comparisons/mcp-vs-rest-for-agents.md': [
    `for ${clinicalTools.length + 1} tools`,
    `${clinicalTools.length} of the ${operationIds.length} operations`,
    `all ${operationIds.length} operations`,

    `the ${word(operationIds.filter(id => table[id].mode === 'test' && table[id].tool).length)} tools that play the sandbox`,
  ],
  'comparisons/webhooks-vs-polling.md': [
    `${word(attempts)} attempts within ${word(Math.ceil(Number(retryDays)))} days`,
    `each event for ${word(limits.sandboxRowDays)} days`,
    `up to ${limits.pageMax} events in one request`,

    `ours has ${word(attempts)} attempts in ${retryDays} days`,
  ],
  'comparisons/api-vs-hosted-intake.md': [`up to ${limits.answersMax} answers a case`],
}
