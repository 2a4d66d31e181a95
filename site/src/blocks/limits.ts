// Every number in contract/limits.ts that callers can encounter, by placeholder.
import { askLimits, limits, siteLimits } from '#contract/limits.ts'
import { markdownTable } from '../figures/figures.ts'

/** Names are the contract's. `:span` formats seconds as a time, and `:size` bytes as MiB or KiB. */
const tables: readonly (readonly [heading: string, rows: Readonly<Record<string, string>>])[] = [
  [
    'Requests',
    {
      Requests: '{ratePerWindow} in {rateWindowSeconds:span}',
      'Refused credentials, by IP address': '{authFailuresPerWindow} in {authWindowSeconds:span}',
      'Triggered events': '{triggersPerWindow} in {triggersWindowSeconds:span}',
      'Redeliveries and replays': '{redeliveriesPerWindow} in {redeliveriesWindowSeconds:span}',
      Exports: '{exportsPerWindow} in {exportsWindowSeconds:span}',
      'Key reports, by IP address':
        '{keyReportsPerWindow} in {keyReportsWindowSeconds:span}, each up to {keyReportKeysMax} keys and {keyReportBytesMax:size}',
      'Page size': '{pageDefault} rows by default, {pageMax} maximum',
      'Request body':
        '{bodyBytesMax} bytes, sent within {bodySecondsMax} seconds, nested up to {bodyDepthMax} levels deep',
      'Errors named in one response': 'the first {faultsMax}',
      'Idempotency-Key':
        '{idempotencyKeyLengthMax} characters, remembered at least {idempotencyHoursPromised} hours',
      'Request log': '{requestLogDays} days',
      'Usage window': '{usageWindowDays} days',
      'Old key after a rotation': 'works up to {keyOverlapDaysMax} days',
      'New agreement': 'accepted within {agreementGraceDays} days',
    },
  ],
  [
    'Care',
    {
      'Consents per case': '{consentIdsMin} to {consentIdsMax}',
      'Medications per case or plan': '{medicationsMax}, and {planLinesMax} plan lines',
      Answers: '{answersAtOnceMax} per request, {answersMax} per case',
      Files:
        '{filesMax} per case, up to {fileBytesMax:size} each, uploaded within {reservationSeconds:span}',
      Prescriptions:
        '{refillsMax} refills, {daysSupplyMax} days’ supply, valid {prescriptionYears} year',
      'Visit slots':
        '{slotMinutes} minutes each, listed {slotWindowDays} days at a time, up to {bookableDays} days ahead',
      'Booking in live mode': 'at least {liveLeadMinutes} minutes ahead',
      'No-show in live mode': 'from {noShowMinutesAfter} minutes after the start',
      'Timestamps you send, such as accepted_at':
        'at most {clockSkewSeconds} seconds ahead of our clock',
      'Joining a visit':
        'from {joinOpensMinutesBefore} minutes before the start to {joinClosesMinutesAfter} minutes after the end',
      'Join link': '{joinLinkMinutes} minutes, and {joinTriesMax} wrong dates of birth',
      Export: 'link valid {exportHours} hours; job kept {exportJobDays} days',
      'Table export (preview)':
        'nightly at {nightlyExportHourUtc}:00 UTC; each link valid {tableLinkMinutes} minutes',
      'Metrics (preview)':
        'the last {metricWeeks} weeks; approval share counts the latest {metricDecisionsMax} decisions',
    },
  ],
  [
    'Webhooks and realtime',
    {
      Endpoints:
        '{webhookEndpointsMax}, each with up to {webhookEventTypesMax} event types and a URL up to {webhookUrlLengthMax} characters',
      Delivery:
        '{webhookRetrySeconds} attempts, {webhookAttemptSeconds}-second timeout; the first {webhookAnswerBytesMax} bytes of each response are kept',
      'Failed events in a row':
        'an email after {webhookFailuresNotified}, disabled after {webhookFailuresMax}',
      'Old secret after a rotation': '{webhookSecretGraceHours} hours',
      Replay:
        'up to {replayDaysMax} days back, {replaysPerSecond} events a second, {replaysWaitingMax} deliveries waiting',
      'Deliveries on demand':
        'paused once deliveries run {webhookBehindSeconds} seconds late or {webhookDueMax} are due',
      'Realtime connections':
        '{realtimeConnectionsMax}, each with a token valid for {realtimeTokenSeconds:span}',
      'Unread realtime events': '{realtimeBufferBytesMax:size}, then the connection is closed',
    },
  ],
  [
    'OAuth',
    {
      'Access tokens': '{accessTokenSeconds:span}; {clientTokensMax} per client',
      'Refresh tokens':
        '{refreshTokenDays} days, up to {refreshFamilyDays} days after sign-in; reusable for {refreshGraceSeconds} seconds',
      'Token requests': '{tokenCallsPerWindow} in {tokenCallsWindowSeconds:span}',
      'Authorization codes': '{authorizationCodeSeconds} seconds',
      'Device codes':
        '{deviceCodeSeconds:span}, polled every {devicePollSeconds} seconds and {deviceSlowDownSeconds} more after `slow_down`; {deviceCodesMax} waiting per client and IP address, {deviceCodesOfClientMax} per client',
      Registrations:
        '{registrationsPerWindow} in {registrationsWindowSeconds:span} per IP address, {registrationsPerDay} a day; up to {registrationBytesMax:size} and {redirectUrisMax} redirect URIs each',
      'Client ID documents':
        'URL up to {clientDocumentUrlLengthMax} characters; up to {clientDocumentBytesMax:size}, loaded within {clientDocumentSeconds} seconds; cached {clientDocumentFreshSeconds:span}, or {clientDocumentFreshSecondsMin:span} to {clientDocumentFreshSecondsMax:span} per its headers',
    },
  ],
  [
    'Sandbox',
    {
      Rows: 'kept {sandboxRowDays} days',
      'Clock advance': '{clockAdvanceDays} days per request, {clockAheadDays} days ahead in total',
      'Autopilot steps': 'up to {autopilotSecondsMax:span} apart',
    },
  ],
  [
    'The site’s API, by IP address',
    {
      Requests: '{site.ratePerWindow} in {site.rateWindowSeconds:span}',
      'Request body': '{site.bodyBytesMax:size} within {site.bodySecondsMax} seconds',
      'Unconfirmed people': '{site.unconfirmedPeoplePerHour} an hour',
      'Changes to one call': '{site.callChangesMax}',
      Feedback: '{site.feedbackPerHour} an hour, for a path up to {site.pathCharacters} characters',
      Question:
        '{ask.queryCharacters} characters; {ask.results} results by default, {ask.resultsMax} maximum',
    },
  ],
]

/** Numbers that callers never encounter. */
export const unseen = ['idempotencyDaysKept', 'site.salesEmailsPerHour']

const named = (prefix: string, values: object) =>
  Object.entries(values).map(([name, value]) => [`${prefix}${name}`, value] as const)

export const known: ReadonlyMap<string, unknown> = new Map([
  ...named('', limits),
  ...named('site.', siteLimits),
  ...named('ask.', askLimits),
])

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`

function spanOf(seconds: number): string {
  if (seconds % 86_400 === 0) return counted(seconds / 86_400, 'day')
  if (seconds % 3600 === 0) return counted(seconds / 3600, 'hour')
  return seconds % 60 === 0 && seconds > 60
    ? counted(seconds / 60, 'minute')
    : counted(seconds, 'second')
}

const sizeOf = (bytes: number) =>
  bytes % 2 ** 20 === 0 ? `${bytes / 2 ** 20} MiB` : `${bytes / 1024} KiB`

function numberOf(name: string, form: string | undefined): string {
  const value = known.get(name)
  // A schedule's number is its count of attempts.
  const number = Array.isArray(value) ? value.length : Number(value)
  if (form === 'span') return spanOf(number)
  return form === 'size' ? sizeOf(number) : number.toLocaleString('en-US')
}

const placeholder = /\{([\w.]+)(?::(\w+))?\}/g

export const namesIn = (): string[] =>
  tables.flatMap(([, rows]) =>
    Object.values(rows).flatMap(text =>
      [...text.matchAll(placeholder)].map(([, name = '']) => name),
    ),
  )

export const limitTables = (): string =>
  tables
    .map(([heading, rows]) => {
      const cells = Object.entries(rows).map(([what, text]) => [
        what,
        text.replace(placeholder, (_, name: string, form?: string) => numberOf(name, form)),
      ])
      return `### ${heading}\n\n${markdownTable(['limit', 'value'], cells)}`
    })
    .join('\n\n')
