// Contract numbers on pages, each under its placeholder.
import { operationIds } from '#contract/api.ts'
import { bulkLimits } from '#contract/fhir/bulk.ts'
import { limits, previewNoticeDays } from '#contract/limits.ts'
import { pharmacyLimits } from '#contract/pharmacy/protocol.ts'
import { allScopes } from '#contract/scopes.ts'
import { caseStatuses, orderStatuses, visitStatuses } from '#contract/states.ts'
import { clinicalTools } from '#contract/tools/tools.ts'

type ContractNumber = {
  value: number
  unit?: string
  /** In a sentence with these words, another number with this unit is wrong. */
  beside?: RegExp
}

const waits = limits.webhookRetrySeconds
const total = waits.reduce<number>((sum, wait) => sum + wait, 0)
const anyCase = /\b(?:a|each|per) case\b|`answers`/

export const contractNumbers: Readonly<Record<string, ContractNumber>> = {
  delivery_attempts: {
    value: waits.length,
    unit: 'attempts',
    beside: /deliver|webhook|event|schedule|receiver|signed/i,
  },
  delivery_days: { value: Math.round(total / 8640) / 10 },
  delivery_seconds: {
    value: limits.webhookAttemptSeconds,
    unit: 'seconds',
    beside: /\b2xx\b|\bfor a status\b/,
  },
  failed_events: { value: limits.webhookFailuresMax, unit: 'events', beside: /\bin a row\b/ },
  secret_hours: {
    value: limits.webhookSecretGraceHours,
    unit: 'hours',
    beside: /\b(?:both|old) secrets?\b|\bcarries two\b/,
  },
  pharmacy_secret_hours: {
    value: pharmacyLimits.secretGraceHours,
    unit: 'hours',
    beside: /\baccepted with either secret\b/,
  },
  replay_days: { value: limits.replayDaysMax, unit: 'days', beside: /\breplay\b/ },
  replay_rate: { value: limits.replaysPerSecond, unit: 'events', beside: /\bA replay sends\b/ },
  replay_waiting: {
    value: limits.replaysWaitingMax,
    unit: 'deliveries',
    beside: /\bA replay sends\b/,
  },
  redeliveries: { value: limits.redeliveriesPerWindow },
  idempotency_hours: {
    value: limits.idempotencyHoursPromised,
    unit: 'hours',
    beside: /\bKeys are remembered\b|Idempotency-Key/,
  },
  idempotency_characters: {
    value: limits.idempotencyKeyLengthMax,
    unit: 'characters',
    beside: /[Ii]dempotency/,
  },
  page_default: { value: limits.pageDefault },
  page_max: { value: limits.pageMax },
  body_bytes: { value: limits.bodyBytesMax, unit: 'bytes', beside: /\bbody|\bpayload|large/ },
  requests_a_second: {
    value: limits.ratePerWindow / limits.rateWindowSeconds,
    unit: 'requests',
    beside: /\brate limit\b.*\ba second\b/,
  },
  refused_credentials: { value: limits.authFailuresPerWindow },
  answers_max: { value: limits.answersMax, unit: 'answers', beside: anyCase },
  answers_at_once: { value: limits.answersAtOnceMax, unit: 'answers', beside: /\bone call\b/i },
  refills_max: { value: limits.refillsMax },
  prescription_years: {
    value: limits.prescriptionYears,
    unit: 'years',
    beside: /\bprescription expires\b/,
  },
  file_mebibytes: { value: limits.fileBytesMax / 2 ** 20, unit: 'MiB', beside: /\beach|upload/ },
  reservation_hours: {
    value: limits.reservationSeconds / 3600,
    unit: 'hours',
    beside: /\breservation\b/,
  },
  export_hours: {
    value: limits.exportHours,
    unit: 'hours',
    beside: /\bexports?\b(?! anything)|\bbundle|\bdownload/,
  },
  nightly_hour: { value: limits.nightlyExportHourUtc },
  table_link_minutes: { value: limits.tableLinkMinutes },
  metric_weeks: { value: limits.metricWeeks },
  export_days: { value: limits.exportJobDays, unit: 'days', beside: /\bexport job|\bbundle/ },
  exports_an_hour: {
    value: limits.exportsPerWindow,
    unit: 'exports',
    beside: /\b(?:an|in an) hour\b/,
  },
  client_tokens: { value: limits.clientTokensMax, unit: 'tokens', beside: /\bclient has\b/ },
  token_requests: { value: limits.tokenCallsPerWindow },
  code_seconds: {
    value: limits.authorizationCodeSeconds,
    unit: 'seconds',
    beside: /\bcode works once\b/,
  },
  device_code_minutes: {
    value: limits.deviceCodeSeconds / 60,
    unit: 'minutes',
    beside: /`user_code`/,
  },
  device_poll_seconds: { value: limits.devicePollSeconds },
  refresh_grace_seconds: {
    value: limits.refreshGraceSeconds,
    unit: 'seconds',
    beside: /\bsame successor\b/,
  },
  refresh_days: { value: limits.refreshTokenDays, unit: 'days', beside: /\brefresh token\b/ },
  refresh_family_days: {
    value: limits.refreshFamilyDays,
    unit: 'days',
    beside: /\brefresh token\b|\bafter signing in\b/,
  },
  client_document_kilobytes: { value: limits.clientDocumentBytesMax / 1024, unit: 'KB' },
  client_document_seconds: {
    value: limits.clientDocumentSeconds,
    unit: 'seconds',
    beside: /`redirect_uris`/,
  },
  slot_window_days: { value: limits.slotWindowDays, unit: 'days', beside: /\bwindow\b/ },
  usage_window_days: { value: limits.usageWindowDays, unit: 'days', beside: /\bwindow\b/ },
  bookable_days: { value: limits.bookableDays, unit: 'days', beside: /\bdays ahead\b/ },
  join_opens_hours: {
    value: limits.joinOpensMinutesBefore / 60,
    unit: 'hours',
    beside: /\bbefore the start\b|\bopens\b.*\bbefore\b/,
  },
  join_closes_minutes: {
    value: limits.joinClosesMinutesAfter,
    unit: 'minutes',
    beside: /\bafter the (?:planned )?end\b/,
  },
  join_link_minutes: { value: limits.joinLinkMinutes, unit: 'minutes', beside: /\blinks?\b/ },
  realtime_connections: {
    value: limits.realtimeConnectionsMax,
    unit: 'connections',
    beside: /\bone integration\b/,
  },
  sandbox_days: {
    value: limits.sandboxRowDays,
    unit: 'days',
    beside: /\b[Rr]ows? (?:is|are|ends?)\b|\bin test mode\b/,
  },
  clock_days: { value: limits.clockAdvanceDays, unit: 'days', beside: /\bcall advances\b/ },
  bulk_hours: { value: bulkLimits.hours, unit: 'hours', beside: /\bkick-off\b/ },
  bulk_rows: { value: bulkLimits.rowsPerFile, unit: 'resources' },
  bulk_patients: { value: bulkLimits.patientsMax, unit: 'patients' },
  request_log_days: {
    value: limits.requestLogDays,
    unit: 'days',
    beside: /\brequest log\b|\bcall of the last\b/,
  },
  agreement_days: {
    value: limits.agreementGraceDays,
    unit: 'days',
    beside: /\baccepted within\b/,
  },
  preview_days: { value: previewNoticeDays, unit: 'days', beside: /\bpreview\b|changelog\) says/ },
  operations: { value: operationIds.length, unit: 'operations', beside: /\ball \S+ operations\b/ },
  clinical_tools: { value: clinicalTools.length },
  scopes: { value: allScopes.length, unit: 'scopes', beside: /\ball \S+ scopes\b/ },
  case_states: { value: caseStatuses.length, unit: 'case statuses', beside: /\bcase statuses\b/ },
  order_statuses: {
    value: orderStatuses.length,
    unit: 'statuses',
    beside: /\bstatuses of an order\b/,
  },
  visit_statuses: {
    value: visitStatuses.length,
    unit: 'visit statuses',
    beside: /\bvisit statuses\b/,
  },
}

const ones = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen ' +
  'fifteen sixteen seventeen eighteen nineteen'
).split(' ')
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

/** The number words that pages use, with their values. */
export const numberWords: ReadonlyMap<string, number> = new Map([
  ...ones.map((word, value) => [word, value] as const),
  ...tens.map((word, at) => [word, 20 + 10 * at] as const),
])

const words = new Map([...numberWords].map(([word, value]) => [value, word]))

/** Formats as 1,048,576; the form `word` gives nine, and `Word` gives Nine. */
export function written(value: number, form?: string): string {
  const digits = value.toLocaleString('en-US')
  const word = words.get(value) ?? digits
  if (form === 'Word') return word.charAt(0).toUpperCase() + word.slice(1)
  return form === 'word' ? word : digits
}
