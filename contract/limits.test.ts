// The promised numbers, once more and on purpose: a changed number is a changed promise, and most
// other code and tests read it from limits.ts, so that they cannot notice.

import { expect, test } from 'bun:test'
import { askLimits, limits, siteLimits } from './limits.ts'

test('limits: those of the clinical API are the promised ones, and no others', () => {
  expect(limits).toEqual({
    pageDefault: 20,
    pageMax: 100,
    bodyBytesMax: 1_048_576,
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
    webhookRetrySeconds: [0, 60, 300, 1_800, 7_200, 21_600, 43_200, 86_400, 86_400],
    webhookAttemptSeconds: 15,
    webhookAnswerBytesMax: 1024,
    webhookFailuresMax: 20,
    webhookFailuresNotified: 10,
    webhookSecretGraceHours: 24,
    webhookBehindSeconds: 60,
    webhookDueMax: 1_000_000,
    realtimeTokenSeconds: 3_600,
    realtimeConnectionsMax: 20,
    realtimeBufferBytesMax: 262_144,
  })
})

test('limits: those of the site are the promised ones, and no others', () => {
  expect(siteLimits).toEqual({
    ratePerWindow: 300,
    rateWindowSeconds: 60,
    bodyBytesMax: 65_536,
    bodySecondsMax: 10,
    unconfirmedPeoplePerHour: 30,
    salesEmailsPerHour: 20,
    callChangesMax: 10,
    feedbackPerHour: 60,
    pathCharacters: 200,
  })
  expect(askLimits).toEqual({ queryCharacters: 500, results: 10, resultsMax: 50 })
})
