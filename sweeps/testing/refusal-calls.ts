// Requests that trigger each operation's own errors, by `operation code`.

import type { CallableId } from '#contract/callable.ts'
import type { ProblemCode } from '#contract/problems.ts'
import {
  type CallOptions,
  consentedPatient,
  queuedCase,
  caseBody,
  invokeOk,
} from '#clinical/testing/call.ts'
import type { Fixtures } from '#clinical/testing/fixtures.ts'
import { completePending, requestExport } from '#clinical/testing/exports.ts'
import { confirmation, reserveFile } from '#clinical/testing/files.ts'
import { clearEndpoints, endpoint, validCalls as calls } from '#clinical/testing/valid-calls.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { limits } from '#contract/limits.ts'
import { sql } from '#database/sql.ts'
import { bookedVisit, freeSlot, joinTimeOf } from '#clinical/testing/visits.ts'

type Own = `${CallableId} ${ProblemCode}`
type ValidCall = (fixtures: Fixtures) => Promise<CallOptions>

/** The valid request, on a withdrawn case, because that status is final. */
const onWithdrawn =
  (id: CallableId): ValidCall =>
  async fixtures => {
    const validCall = await calls[id](fixtures, fixtures.ada.test)
    const { id: withdrawn } = await queuedCase(fixtures)
    await invokeOk(fixtures, 'withdrawCase', { id: withdrawn })
    return { ...validCall, id: withdrawn }
  }

/** The valid request, on a canceled visit. */
const onCancelled =
  (id: CallableId): ValidCall =>
  async fixtures => {
    const validCall = await calls[id](fixtures, fixtures.ada.test)
    const { id: cancelled } = await bookedVisit(fixtures)
    await invokeOk(fixtures, 'cancelVisit', { id: cancelled })
    return { ...validCall, id: cancelled }
  }

const ofCases = (
  [
    'releaseCase',
    'cancelCase',
    'withdrawCase',
    'answerCase',
    'createMessage',
    'decideCase',
    'sendClinicianMessage',
    'shipCase',
    'deliverCase',
    'blockCase',
    'failCase',
  ] as const
).map(id => [`${id} invalid_transition`, onWithdrawn(id)] as const)

const ofVisits = (
  [
    'cancelVisit',
    'rescheduleVisit',
    'getJoinLink',
    'startVisit',
    'completeVisit',
    'noShowVisit',
  ] as const
).map(id => [`${id} invalid_transition`, onCancelled(id)] as const)

const own: Partial<Record<Own, ValidCall>> = {
  'createCase consent_required': async fixtures => {
    const agreed = await consentedPatient(fixtures)
    const again = await invokeOk(fixtures, 'recordConsent', {
      id: agreed.patient,
      body: { kind: 'telehealth', version: '2026-10-01' },
    })
    return { body: { ...caseBody(agreed), consent_ids: [agreed.telehealth, again.id] } }
  },
  'bookVisit slot_unavailable': async fixtures => {
    const { starts_at, state } = await bookedVisit(fixtures)
    const { patient } = await freeSlot(fixtures, undefined, state)
    return { body: { patient, starts_at } }
  },
  'rescheduleVisit slot_unavailable': async fixtures => {
    const { starts_at, state } = await bookedVisit(fixtures)
    const free = await freeSlot(fixtures, undefined, state)
    const body = { patient: free.patient, starts_at: free.starts_at }
    const { id } = await invokeOk(fixtures, 'bookVisit', { body })
    return { id, body: { starts_at } }
  },
  'downloadExport export_not_ready': async fixtures => ({ id: (await requestExport(fixtures)).id }),
  'downloadExport gone': async fixtures => {
    const { id } = await requestExport(fixtures)
    await completePending(fixtures)
    await queryAsOwner(
      fixtures,
      sql`update test.exports set expires_at = now() - interval '1 ms' where id = ${id}`,
    )
    return { id }
  },
  'createTableExport invalid_transition': async fixtures => {
    await completePending(fixtures)
    await invokeOk(fixtures, 'createTableExport', { body: {} })
    return { body: {} }
  },
  'createFile invalid_transition': async fixtures => {
    const { id, patient } = await queuedCase(fixtures)
    await invokeOk(fixtures, 'withdrawCase', { id })
    return { body: { patient, case: id, mime: 'image/png' } }
  },
  'confirmFile invalid_transition': async fixtures => {
    const { id } = await queuedCase(fixtures)
    const found = await reserveFile(fixtures, { case: id })
    await invokeOk(fixtures, 'withdrawCase', { id })
    return { id: found.id, body: confirmation(found.patient) }
  },
  // The sandbox doesn't check the bytes.
  'confirmFile upload_missing': async fixtures => {
    const found = await reserveFile(fixtures, { as: fixtures.ada.live })
    return { as: fixtures.ada.live, id: found.id, body: confirmation(found.patient) }
  },
  'deleteFile live_not_available': async fixtures => ({
    as: fixtures.ada.live,
    id: (await reserveFile(fixtures, { as: fixtures.ada.live })).id,
  }),
  'createWebhookEndpoint endpoint_limit_reached': async fixtures => {
    await clearEndpoints(fixtures)
    for (let n = 0; n < limits.webhookEndpointsMax; n++) {
      await invokeOk(fixtures, 'createWebhookEndpoint', { body: endpoint })
    }
    return { body: endpoint }
  },
  'createDestination endpoint_limit_reached': async fixtures => {
    const { body } = await calls.createDestination(fixtures, fixtures.ada.test)
    const [endpoints, destinations] = [
      await invokeOk(fixtures, 'listWebhookEndpoints', { query: { limit: '100' } }),
      await invokeOk(fixtures, 'listDestinations', { query: { limit: '100' } }),
    ]
    const full = endpoints.data.length + destinations.data.length
    for (let n = full; n < limits.webhookEndpointsMax; n++) {
      await invokeOk(fixtures, 'createDestination', { body })
    }
    return { body }
  },
  'redeliverEvent endpoint_disabled': async fixtures => {
    const validCall = await calls.redeliverEvent(fixtures, fixtures.ada.test)
    const { webhook_endpoint: id } = validCall.body as { webhook_endpoint: string }
    await invokeOk(fixtures, 'updateWebhookEndpoint', { id, body: { status: 'disabled' } })
    return validCall
  },
  'triggerWebhook endpoint_disabled': async fixtures => {
    const validCall = await calls.triggerWebhook(fixtures, fixtures.ada.test)
    const { webhook_endpoint: id } = validCall.body as { webhook_endpoint: string }
    await invokeOk(fixtures, 'updateWebhookEndpoint', { id, body: { status: 'disabled' } })
    return validCall
  },
  'replayEvents endpoint_disabled': async fixtures => {
    const validCall = await calls.replayEvents(fixtures, fixtures.ada.test)
    const { webhook_endpoint: id } = validCall.body as { webhook_endpoint: string }
    await invokeOk(fixtures, 'updateWebhookEndpoint', { id, body: { status: 'disabled' } })
    return validCall
  },
  'replayEvents invalid_transition': async fixtures => {
    const validCall = await calls.replayEvents(fixtures, fixtures.ada.test)
    await invokeOk(fixtures, 'replayEvents', validCall)
    return validCall
  },
  'cancelReplay invalid_transition': async fixtures => {
    const { id = '' } = await calls.cancelReplay(fixtures, fixtures.ada.test)
    await invokeOk(fixtures, 'cancelReplay', { id })
    return { id }
  },
  'getJoinLink join_not_open': async fixtures => {
    const visit = await bookedVisit(fixtures)
    return { id: visit.id, at: joinTimeOf(visit) - 2 * 3_600_000 }
  },
}

export const ownRefusals: Readonly<{
  validCalls: Readonly<Record<string, ValidCall>>
  /** Documented errors that tests can't produce, with the reason. */
  unreachable: Readonly<Record<string, string>>
}> = {
  validCalls: Object.fromEntries([...ofCases, ...ofVisits, ...Object.entries(own)]),
  unreachable: {
    'deleteFile baa_required': 'In live mode, it is refused before the agreement is checked.',
  },
}
