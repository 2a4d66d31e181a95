// One example of each schema that only the preview has, and of each preview request.

import type { Static } from 'typebox'
import { destination, destinationRequests } from './destinations.ts'
import { ids } from './resources.ts'
import type { Replay, replays } from '../preview/replays.ts'
import type { Metric } from '../preview/metrics.ts'
import type { Request, RequestDetails } from '../preview/requests.ts'
import type { TableExport, TableExportManifest } from '../preview/table-exports.ts'

const request: Static<typeof Request> = {
  id: ids.request,
  created_at: '2026-11-20T15:04:07.000Z',
  mode: 'test',
  organization: ids.organization,
  credential: { id: 'key_01m3vb29m0j7h2s4y0n7c6w1pa', name: 'Backend', last4: '4kQz' },
  surface: 'rest',
  operation: 'createCase',
  method: 'POST',
  path: '/v1/cases',
  target: ids.case,
  status: 201,
  code: null,
  replayed: false,
  duration_ms: 9,
}

const details: Static<typeof RequestDetails> = {
  ...request,
  body: {
    fields: [
      { pointer: '#/patient', types: ['string'], length: null },
      { pointer: '#/consent_ids', types: ['array'], length: 2 },
      { pointer: '#/consent_ids/*', types: ['string'], length: null },
    ],
    unknown_fields: 0,
  },
  events: [{ id: ids.event, type: 'case.queued.v1' }],
  deliveries: [
    {
      id: ids.delivery,
      event: ids.event,
      webhook_endpoint: ids.webhook_endpoint,
      status: 'delivered',
      attempt: 1,
      http_status: 200,
      error: null,
      next_attempt_at: null,
    },
  ],
}

const replayRequests: Readonly<Record<string, Static<typeof replays.replayEvents.body>>> = {
  what_failed: { webhook_endpoint: ids.webhook_endpoint, since: '2026-11-20T12:00:00.000Z' },
  two_types_of_an_afternoon: {
    webhook_endpoint: ids.webhook_endpoint,
    since: '2026-11-20T12:00:00.000Z',
    until: '2026-11-20T18:00:00.000Z',
    event_types: ['case.approved.v1', 'order.shipped.v1'],
    only: 'all',
  },
}

const replay: Static<typeof Replay> = {
  id: 'rpl_01m7x2rmj0c5p9w3k7d1f8h2tb',
  webhook_endpoint: ids.webhook_endpoint,
  since: '2026-11-20T12:00:00.000Z',
  until: '2026-11-20T18:00:00.000Z',
  event_types: ['case.approved.v1', 'order.shipped.v1'],
  only: 'failed',
  status: 'running',
  reason: null,
  queued_until: '2026-11-20T15:09:44.117Z',
  deliveries: { pending: 12, delivered: 288, failed: 0 },
  created_at: '2026-11-20T18:05:00.000Z',
  ended_at: null,
}

const tableExport: Static<typeof TableExport> = {
  id: ids.export,
  status: 'completed',
  include_identity: false,
  nightly: true,
  created_at: '2026-11-20T08:00:00.214Z',
  as_of: '2026-11-20T08:00:01.907Z',
  expires_at: '2026-11-21T08:00:01.907Z',
}

const manifest: Static<typeof TableExportManifest> = {
  ...tableExport,
  tables: [
    {
      name: 'patients',
      rows: 1204,
      size_bytes: 251_636,
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      url: 'https://api.example.com/documents/Wm9vbSBpbg',
    },
  ],
}

const exportSchedule = {
  nightly: true,
  include_identity: false,
  next_at: '2026-11-21T08:00:00.000Z',
}

const metric: Static<typeof Metric> = {
  metric: 'decision_time',
  title: 'Time to decision',
  unit: 'hours',
  columns: ['week', 'decided', 'p50', 'p90'],
  rows: [{ week: '2026-11-16T00:00:00.000Z', decided: 118, p50: 3.4, p90: 11.2 }],
}

const testClock = {
  now: '2026-11-23T15:04:07.000Z',
  ahead_s: 259_200,
  is_advancing: false,
  target: null,
}

const consentVersions = { telehealth: null, privacy: '2026-11-01' }

/** Examples by schema name. */
export const previewSchemaExamples: Readonly<Record<string, unknown>> = {
  Request: request,
  RequestDetails: details,
  Replay: replay,
  Destination: destination,
  TableExport: tableExport,
  TableExportManifest: manifest,
  ExportSchedule: exportSchedule,
  Metric: metric,
  TestClock: testClock,
  ConsentVersions: consentVersions,
}

/** Examples by operation (contract/examples.ts). */
export const previewExamples = {
  replayEvents: { requests: replayRequests },
  createDestination: { requests: destinationRequests },
  updateDestination: { requests: { disable: { status: 'disabled' as const } } },
  createTableExport: { requests: { without_identity: {} } },
  setExportSchedule: {
    requests: { every_night: { nightly: true }, never: { nightly: false } },
  },
  publishConsentVersion: {
    requests: { new_privacy: { kind: 'privacy' as const, version: '2026-11-01' } },
    answer: consentVersions,
  },
  setTestClock: {
    requests: { three_days: { advance_by_s: 259_200 }, end_an_advance: { resume: true } },
    answer: {
      ...testClock,
      now: '2026-11-20T15:04:07.000Z',
      ahead_s: 0,
      is_advancing: true,
      target: '2026-11-23T15:04:07.000Z',
    },
  },
}
