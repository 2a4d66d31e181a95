// The numbers that the API promises, each once. Sizes in bytes, spans in seconds unless named.

export const limits = {
  pageDefault: 20,
  pageMax: 100,
  bodyBytesMax: 1_048_576,
  /** From the head of a request to the end of its body. */
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
  /** To accept a new version of the agreement; after that live calls are refused. */
  agreementGraceDays: 30,
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
  slotMinutes: 30,
  slotWindowDays: 14,
  bookableDays: 60,
  joinOpensMinutesBefore: 60,
  joinClosesMinutesAfter: 30,
  joinLinkMinutes: 15,
  usageWindowDays: 366,
  webhookEndpointsMax: 16,
  webhookEventTypesMax: 64,
  webhookUrlLengthMax: 2048,
  /** From the end of one attempt to the start of the next; one number an attempt. */
  webhookRetrySeconds: [0, 60, 300, 1_800, 7_200, 21_600, 43_200, 86_400, 86_400],
  webhookAttemptSeconds: 15,
  webhookAnswerBytesMax: 1024,
  webhookFailuresMax: 20,
  /** At the first, at so many, and at the last the developers are told by mail. */
  webhookFailuresTold: 10,
  webhookSecretGraceHours: 24,
  /** So late, or with so many to make, no more deliveries are made on demand. */
  webhookBehindSeconds: 60,
  webhookDueMax: 1_000_000,
  realtimeTokenSeconds: 3_600,
  /** Of one integration in one mode, at one gateway. */
  realtimeConnectionsMax: 20,
  /** What waits for a subscriber that does not read, before it is cut off. */
  realtimeBufferBytesMax: 262_144,
} as const

/** What the site's API promises: see contract/site.ts. */
export const siteLimits = {
  ratePerWindow: 300,
  rateWindowSeconds: 60,
  bodyBytesMax: 65_536,
  bodySecondsMax: 10,
  /** By tools, from one address. */
  bookingsPerHour: 5,
} as const

/** What /ask takes: the longest question, the results it gives unless told, and at most. */
export const askLimits = { queryCharacters: 500, results: 10, resultsMax: 50 } as const

/** The version that every answer names and a request may pin. */
export const apiVersion = '2026-11-20'
