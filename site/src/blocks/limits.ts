// Every number of contract/limits.ts that a caller can meet, by placeholder.
import { askLimits, limits, siteLimits } from '#contract/limits.ts'
import { markdownTable } from '../figures/figures.ts'

/** Named as in the contract; `:span` writes seconds as a time, and `:size` bytes as MiB or KiB. */
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
        '{keyReportsPerWindow} in {keyReportsWindowSeconds:span}, each of {keyReportKeysMax} keys and {keyReportBytesMax:size}',
      'A page of a list': '{pageDefault} rows, at most {pageMax}',
      'A body':
        '{bodyBytesMax} bytes within {bodySecondsMax} seconds, nested {bodyDepthMax} levels deep',
      'Errors named in one response': 'the first {faultsMax}',
      'An Idempotency-Key':
        '{idempotencyKeyLengthMax} characters, remembered at least {idempotencyHoursPromised} hours',
      'The request log': '{requestLogDays} days',
      'A usage window': '{usageWindowDays} days',
      'A new agreement': 'accepted within {agreementGraceDays} days',
    },
  ],
  [
    'Care',
    {
      'Consents per case': '{consentIdsMin} to {consentIdsMax}',
      'Medications per case or plan': '{medicationsMax}, and {planLinesMax} plan lines',
      Answers: '{answersAtOnceMax} per request, {answersMax} per case',
      Files:
        '{filesMax} in a case, each of {fileBytesMax:size}, uploaded within {reservationSeconds:span}',
      Prescriptions:
        '{refillsMax} refills, {daysSupplyMax} days’ supply, valid {prescriptionYears} year',
      'Free times':
        '{slotMinutes} minutes each, listed {slotWindowDays} days at a time, {bookableDays} days ahead',
      'Booking in live mode': 'at least {liveLeadMinutes} minutes ahead',
      'A no-show in live mode': 'from {noShowMinutesAfter} minutes after the start',
      'A time you send, such as accepted_at':
        'at most {clockSkewSeconds} seconds ahead of our clock',
      'Joining a visit':
        'from {joinOpensMinutesBefore} minutes before it to {joinClosesMinutesAfter} minutes after it',
      'A join link': '{joinLinkMinutes} minutes, and {joinTriesMax} wrong dates of birth',
      'An export': 'a link of {exportHours} hours, a job of {exportJobDays} days',
    },
  ],
  [
    'Webhooks and realtime',
    {
      Endpoints:
        '{webhookEndpointsMax}, each with {webhookEventTypesMax} event types and a URL of {webhookUrlLengthMax} characters',
      'A delivery':
        '{webhookRetrySeconds} attempts of {webhookAttemptSeconds} seconds; the first {webhookAnswerBytesMax} bytes of each response are kept',
      'Failed events in a row':
        'an email after {webhookFailuresNotified}, disabled after {webhookFailuresMax}',
      'The old secret after a rotation': '{webhookSecretGraceHours} hours',
      'A replay':
        'up to {replayDaysMax} days back, {replaysPerSecond} events a second, {replaysWaitingMax} deliveries waiting',
      'Deliveries on demand':
        'paused from {webhookBehindSeconds} seconds of delay or {webhookDueMax} deliveries due',
      'Realtime connections':
        '{realtimeConnectionsMax}, each with a token of {realtimeTokenSeconds:span}',
      'Unread realtime events': '{realtimeBufferBytesMax:size}, then the connection is closed',
    },
  ],
  [
    'OAuth',
    {
      'Access tokens': '{accessTokenSeconds:span}, {clientTokensMax} of a client',
      'Refresh tokens':
        '{refreshTokenDays} days, {refreshFamilyDays} days after signing in; the same one works again for {refreshGraceSeconds} seconds',
      'Token requests': '{tokenCallsPerWindow} in {tokenCallsWindowSeconds:span}',
      'Authorization codes': '{authorizationCodeSeconds} seconds',
      'Device codes':
        '{deviceCodeSeconds:span}, polled every {devicePollSeconds} seconds and {deviceSlowDownSeconds} more after `slow_down`; {deviceCodesMax} waiting',
      Registrations:
        '{registrationsPerWindow} in {registrationsWindowSeconds:span} by IP address, {registrationsPerDay} a day, each of {registrationBytesMax:size} and {redirectUrisMax} redirect URIs',
      'Client ID documents':
        'a URL of {clientDocumentUrlLengthMax} characters, {clientDocumentBytesMax:size}, loaded within {clientDocumentSeconds} seconds; kept {clientDocumentFreshSeconds:span}, or as its headers say, from {clientDocumentFreshSecondsMin:span} to {clientDocumentFreshSecondsMax:span}',
    },
  ],
  [
    'Sandbox',
    {
      Rows: 'kept {sandboxRowDays} days',
      'The clock': '{clockAdvanceDays} days per request, {clockAheadDays} days ahead in total',
      'Autopilot steps': 'up to {autopilotSecondsMax:span} apart',
    },
  ],
  [
    'The site’s API, by IP address',
    {
      Requests: '{site.ratePerWindow} in {site.rateWindowSeconds:span}',
      'A body': '{site.bodyBytesMax:size} within {site.bodySecondsMax} seconds',
      'Unconfirmed people': '{site.unconfirmedPeoplePerHour} an hour',
      'Changes to one call': '{site.callChangesMax}',
      Feedback: '{site.feedbackPerHour} an hour, about a path of {site.pathCharacters} characters',
      'A question':
        '{ask.queryCharacters} characters, {ask.results} results, at most {ask.resultsMax}',
    },
  ],
]

/** Numbers that no caller meets. */
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
  // A schedule has a wait for each attempt.
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
