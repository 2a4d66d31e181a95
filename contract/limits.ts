// The numbers the API promises. Sizes are in bytes, and times in seconds unless their names say
// otherwise.

import { retrySchedule } from './retry-schedule.ts'

export const limits = {
  pageDefault: 20,
  pageMax: 100,
  bodyBytesMax: 1_048_576,
  /** Counted from the end of a request's headers to the end of its body. */
  bodySecondsMax: 30,
  bodyDepthMax: 32,
  faultsMax: 100,
  idempotencyKeyLengthMax: 255,
  idempotencyHoursPromised: 24,
  idempotencyDaysKept: 7,
  ratePerWindow: 6_000,
  rateWindowSeconds: 60,
  authFailuresPerWindow: 60,
  authWindowSeconds: 60,
  consentIdsMin: 2,
  consentIdsMax: 10,
  medicationsMax: 20,
  answersMax: 200,
  answersAtOnceMax: 50,
  filesMax: 50,
  fileBytesMax: 26_214_400,
  reservationSeconds: 3_600,
  exportHours: 24,
  /** When nightly table exports start: midnight in California, 3 AM in New York. */
  nightlyExportHourUtc: 8,
  /** How long a table export's links work. */
  tableLinkMinutes: 60,
  /** Days to accept a new agreement before live requests are refused. */
  agreementGraceDays: 30,
  /** How long a rotated key can keep working. */
  keyOverlapDaysMax: 7,
  /** Lifetime of every access token. */
  accessTokenSeconds: 3_600,
  /** Maximum number of a client's own tokens. Beyond this number, the oldest token is dropped. */
  clientTokensMax: 20,
  refreshTokenDays: 30,
  refreshFamilyDays: 90,
  /** How long a used refresh token returns the same successor, in case the response was lost. */
  refreshGraceSeconds: 10,
  authorizationCodeSeconds: 60,
  deviceCodeSeconds: 600,
  devicePollSeconds: 5,
  deviceSlowDownSeconds: 5,
  /** Maximum number of a client's pending device codes from one network, and from all together. */
  deviceCodesMax: 100,
  deviceCodesOfClientMax: 10_000,
  tokenCallsPerWindow: 60,
  tokenCallsWindowSeconds: 60,
  registrationsPerWindow: 60,
  registrationsWindowSeconds: 3_600,
  registrationsPerDay: 10_000,
  registrationBytesMax: 8_192,
  keyReportsPerWindow: 60,
  keyReportsWindowSeconds: 3_600,
  keyReportBytesMax: 8_192,
  keyReportKeysMax: 10,
  redirectUrisMax: 10,
  clientDocumentUrlLengthMax: 500,
  clientDocumentBytesMax: 5_120,
  clientDocumentSeconds: 5,
  /** How long to cache a client document by default, and the bounds of its own Cache-Control. */
  clientDocumentFreshSeconds: 3_600,
  clientDocumentFreshSecondsMin: 300,
  clientDocumentFreshSecondsMax: 86_400,
  exportJobDays: 30,
  exportsPerWindow: 60,
  exportsWindowSeconds: 3_600,
  redeliveriesPerWindow: 60,
  redeliveriesWindowSeconds: 60,
  triggersPerWindow: 60,
  triggersWindowSeconds: 60,
  /** Weeks in a metric, and how many decisions the approval share counts. */
  metricWeeks: 12,
  metricDecisionsMax: 2_000,
  planLinesMax: 20,
  refillsMax: 11,
  daysSupplyMax: 365,
  prescriptionYears: 1,
  sandboxRowDays: 30,
  autopilotSecondsMax: 3_600,
  /** How far one request can advance the clock, and how far the clock can be ahead of real time. */
  clockAdvanceDays: 365,
  clockAheadDays: 3_650,
  slotMinutes: 30,
  /** How long before its start a live visit must be booked. */
  liveLeadMinutes: 60,
  slotWindowDays: 14,
  bookableDays: 60,
  joinOpensMinutesBefore: 60,
  joinClosesMinutesAfter: 30,
  joinLinkMinutes: 15,
  /** How far a caller's clock can be ahead of ours. */
  clockSkewSeconds: 60,
  noShowMinutesAfter: 15,
  /** Wrong dates of birth allowed for each join link. */
  joinTriesMax: 3,
  usageWindowDays: 366,
  webhookEndpointsMax: 16,
  webhookEventTypesMax: 64,
  webhookUrlLengthMax: 2048,
  /** Seconds before each attempt, from the end of the previous one. */
  webhookRetrySeconds: retrySchedule,
  webhookAttemptSeconds: 15,
  webhookAnswerBytesMax: 1024,
  webhookFailuresMax: 20,
  /** Developers get an email at the first failure, at this number of failures, and at the last
   *  failure. */
  webhookFailuresNotified: 10,
  webhookSecretGraceHours: 24,
  /** How far back a replay can start. */
  replayDaysMax: 30,
  /** How many events a replay sends per second, and how many unsent deliveries to the endpoint
   *  pause the replay. */
  replaysPerSecond: 100,
  replaysWaitingMax: 200,
  /** How long an integration's requests stay in the request log. */
  requestLogDays: 30,
  /** Above this delay or this many due deliveries, redeliveries and triggers are refused. */
  webhookBehindSeconds: 60,
  webhookDueMax: 1_000_000,
  realtimeTokenSeconds: 3_600,
  /** Per integration and mode, across all gateways. */
  realtimeConnectionsMax: 20,
  /** How many unsent bytes disconnect a subscriber that doesn't read. */
  realtimeBufferBytesMax: 262_144,
} as const

/** The limits of the site's API (contract/site/table.ts). */
export const siteLimits = {
  ratePerWindow: 300,
  rateWindowSeconds: 60,
  bodyBytesMax: 65_536,
  bodySecondsMax: 10,
  /** Bookings and callbacks by unconfirmed people from one IP address. */
  unconfirmedPeoplePerHour: 30,
  /** Above this number, the company gets one digest an hour. */
  salesEmailsPerHour: 20,
  /** How many times a call can be changed through its link. Each change sends an email. */
  callChangesMax: 10,
  /** Feedback answers from one IP address. */
  feedbackPerHour: 60,
  pathCharacters: 200,
} as const

/** The answers to “Was this page helpful?”: yes, or why not. */
export const feedbackAnswers = ['yes', 'missing', 'unclear', 'wrong', 'other'] as const

/** /ask: the longest question, and the default and maximum number of results. */
export const askLimits = { queryCharacters: 500, results: 10, resultsMax: 50 } as const

/** The version that every response names and that a request can pin. */
export const apiVersion = '2026-11-20'

/** The preview's version, which its responses send in API-Preview. */
export const previewVersion = '2026-11-20'
/** Days between a changelog notice and a change to the preview. */
export const previewNoticeDays = 30
