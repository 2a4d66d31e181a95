// How each operation comes to the refusals that are its own, by `operation code`.

import type { OperationId } from '#contract/api.ts'
import type { ProblemCode } from '#contract/problems.ts'
import { type Asked, agreedPatient, filedCase, filing, must } from '#clinical/testing/call.ts'
import type { Cast } from '#clinical/testing/fixtures.ts'
import { completed, exported } from '#clinical/testing/exports.ts'
import { naming, reserved } from '#clinical/testing/files.ts'
import { endpoint, scenes as calls } from '#clinical/testing/valid-calls.ts'
import { owned } from '#clinical/testing/assertions.ts'
import { limits } from '#contract/limits.ts'
import { sql } from '#database/sql.ts'
import { bookedVisit, freeSlot, joinable } from '#clinical/testing/visits.ts'

type Own = `${OperationId} ${ProblemCode}`
type Scene = (cast: Cast) => Promise<Asked>

/** The call itself, on a case that was withdrawn: nothing of it moves any more. */
const onWithdrawn =
  (id: OperationId): Scene =>
  async cast => {
    const scene = await calls[id](cast, cast.ada.test)
    const { id: withdrawn } = await filedCase(cast)
    await must(cast, 'withdrawCase', { id: withdrawn })
    return { ...scene, id: withdrawn }
  }

/** The call itself, on a visit that was cancelled. */
const onCancelled =
  (id: OperationId): Scene =>
  async cast => {
    const scene = await calls[id](cast, cast.ada.test)
    const { id: cancelled } = await bookedVisit(cast)
    await must(cast, 'cancelVisit', { id: cancelled })
    return { ...scene, id: cancelled }
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

const own: Partial<Record<Own, Scene>> = {
  'createCase consent_required': async cast => {
    const agreed = await agreedPatient(cast)
    const again = await must(cast, 'recordConsent', {
      id: agreed.patient,
      body: { kind: 'telehealth', version: '2026-10-01' },
    })
    return { body: { ...filing(agreed), consent_ids: [agreed.telehealth, again.id] } }
  },
  'bookVisit slot_unavailable': async cast => {
    const { starts_at, state } = await bookedVisit(cast)
    const { patient } = await freeSlot(cast, undefined, state)
    return { body: { patient, starts_at } }
  },
  'rescheduleVisit slot_unavailable': async cast => {
    const { starts_at, state } = await bookedVisit(cast)
    const free = await freeSlot(cast, undefined, state)
    const body = { patient: free.patient, starts_at: free.starts_at }
    const { id } = await must(cast, 'bookVisit', { body })
    return { id, body: { starts_at } }
  },
  'downloadExport export_not_ready': async cast => ({ id: (await exported(cast)).id }),
  'downloadExport gone': async cast => {
    const { id } = await exported(cast)
    await completed(cast)
    await owned(cast, sql`update test.exports set expires_at = now() where id = ${id}`)
    return { id }
  },
  'createFile invalid_transition': async cast => {
    const { id, patient } = await filedCase(cast)
    await must(cast, 'withdrawCase', { id })
    return { body: { patient, case: id, mime: 'image/png' } }
  },
  'confirmFile invalid_transition': async cast => {
    const { id } = await filedCase(cast)
    const found = await reserved(cast, { case: id })
    await must(cast, 'withdrawCase', { id })
    return { id: found.id, body: naming(found.patient) }
  },
  // The sandbox does not look for the bytes.
  'confirmFile upload_missing': async cast => {
    const found = await reserved(cast, { as: cast.ada.live })
    return { as: cast.ada.live, id: found.id, body: naming(found.patient) }
  },
  'deleteFile live_not_available': async cast => ({
    as: cast.ada.live,
    id: (await reserved(cast, { as: cast.ada.live })).id,
  }),
  'createWebhookEndpoint endpoint_limit_reached': async cast => {
    const full = (await must(cast, 'listWebhookEndpoints', { query: { limit: '100' } })).data.length
    for (let n = full; n < limits.webhookEndpointsMax; n++) {
      await must(cast, 'createWebhookEndpoint', { body: endpoint })
    }
    return { body: endpoint }
  },
  'redeliverEvent endpoint_disabled': async cast => {
    const scene = await calls.redeliverEvent(cast, cast.ada.test)
    const { webhook_endpoint: id } = scene.body as { webhook_endpoint: string }
    await must(cast, 'updateWebhookEndpoint', { id, body: { status: 'disabled' } })
    return scene
  },
  'triggerWebhook endpoint_disabled': async cast => {
    const scene = await calls.triggerWebhook(cast, cast.ada.test)
    const { webhook_endpoint: id } = scene.body as { webhook_endpoint: string }
    await must(cast, 'updateWebhookEndpoint', { id, body: { status: 'disabled' } })
    return scene
  },
  'getJoinLink join_not_open': async cast => {
    const visit = await bookedVisit(cast)
    return { id: visit.id, at: joinable(visit) - 2 * 3_600_000 }
  },
}

export const ownRefusals: Readonly<{
  scenes: Readonly<Record<string, Scene>>
  /** What the document promises and a sandbox cannot show, with the reason. */
  unreachable: Readonly<Record<string, string>>
}> = {
  scenes: Object.fromEntries([...ofCases, ...ofVisits, ...Object.entries(own)]),
  unreachable: {
    'deleteFile baa_required': 'In live it is refused before the agreement is looked at.',
  },
}
