// The numbers that the API promises, each once. Sizes in bytes, spans in seconds unless named.

import { retrySchedule } from './retry-schedule.ts'

export const limits = {
  pageDefault: 20,
  pageMax: 100,
  bodyBytesMax: 1_048_576,
  /** From the end of a request's headers to the end of its body. */
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
  /** To accept a new version of the agreement; afterwards live calls are refused. */
  agreementGraceDays: 30,
  /** Of an access token, whatever it was issued for. */
  accessTokenSeconds: 3_600,
  /** Of a client's own tokens; the oldest is dropped. */
  clientTokensMax: 20,
  refreshTokenDays: 30,
  refreshFamilyDays: 90,
  /** For a client that lost the answer: the same refresh token brings the same successor. */
  refreshGraceSeconds: 10,
  authorizationCodeSeconds: 60,
  deviceCodeSeconds: 600,
  devicePollSeconds: 5,
  deviceSlowDownSeconds: 5,
  /** Of one client, not yet answered. */
  deviceCodesMax: 100,
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
  /** How long a document is kept that does not say it, and the bounds of what others say. */
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
  planLinesMax: 20,
  refillsMax: 11,
  daysSupplyMax: 365,
  prescriptionYears: 1,
  sandboxRowDays: 30,
  autopilotSecondsMax: 3_600,
  /** In one call, and ahead of real time in all. */
  clockAdvanceDays: 365,
  clockAheadDays: 3_650,
  slotMinutes: 30,
  /** In live mode, how long before its start a visit must be booked. */
  liveLeadMinutes: 60,
  slotWindowDays: 14,
  bookableDays: 60,
  joinOpensMinutesBefore: 60,
  joinClosesMinutesAfter: 30,
  joinLinkMinutes: 15,
  /** How far the clock of a caller may be ahead of ours. */
  clockSkewSeconds: 60,
  noShowMinutesAfter: 15,
  /** Wrong dates of birth at the entrance of a visit, for each link. */
  joinTriesMax: 3,
  usageWindowDays: 366,
  webhookEndpointsMax: 16,
  webhookEventTypesMax: 64,
  webhookUrlLengthMax: 2048,
  /** The wait before each attempt, from the end of the one before. */
  webhookRetrySeconds: retrySchedule,
  webhookAttemptSeconds: 15,
  webhookAnswerBytesMax: 1024,
  webhookFailuresMax: 20,
  /** The developers get an email at the first failure, at this count, and at the last. */
  webhookFailuresNotified: 10,
  webhookSecretGraceHours: 24,
  /** How far back a replay may begin. */
  replayDaysMax: 30,
  /** Events a replay sends, and the deliveries of its endpoint that may wait meanwhile. */
  replaysPerSecond: 100,
  replaysWaitingMax: 200,
  /** A request of an integration can be looked up for as long. */
  requestLogDays: 30,
  /** From this delay or this many due deliveries on, no delivery is made on demand. */
  webhookBehindSeconds: 60,
  webhookDueMax: 1_000_000,
  realtimeTokenSeconds: 3_600,
  /** For one integration in one mode, at all gateways together. */
  realtimeConnectionsMax: 20,
  /** Unsent bytes of a subscriber that does not read, before its connection is closed. */
  realtimeBufferBytesMax: 262_144,
} as const

/** The limits of the site's API, contract/site/table.ts. */
export const siteLimits = {
  ratePerWindow: 300,
  rateWindowSeconds: 60,
  bodyBytesMax: 65_536,
  bodySecondsMax: 10,
  /** Bookings and callbacks of people who have not confirmed, from one IP address. */
  unconfirmedPeoplePerHour: 30,
  /** Beyond it, the company gets one digest an hour. */
  salesEmailsPerHour: 20,
  /** Changes of one call by its link, each of which sends an email. */
  callChangesMax: 10,
  /** From one IP address. */
  feedbackPerHour: 60,
  pathCharacters: 200,
} as const

/** What a reader may answer to “Was this page helpful?”: yes, or why not. */
export const feedbackAnswers = ['yes', 'missing', 'unclear', 'wrong', 'other'] as const

/** /ask: the longest question, and the default and greatest number of results. */
export const askLimits = { queryCharacters: 500, results: 10, resultsMax: 50 } as const

/** The version that every answer names and a request may pin. */
export const apiVersion = '2026-11-20'

/** The version of the preview, which its answers name in API-Preview. */
export const previewVersion = '2026-11-20'
/** Operations of the preview change no sooner than this after the changelog says so. */
export const previewNoticeDays = 30
