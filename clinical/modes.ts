// All differences between test and live. Each mode has its own schema, database role and pool; a
// credential's mode selects them once, and no statement names a mode. Decided in
// docs/decisions/0121-keep-the-record-of-a-patient-deleted-in-live.md.

import { limits } from '#contract/limits.ts'
import type { CredentialOperation, Mode } from '#contract/operation.ts'
import { Problem } from '#contract/problems.ts'
import type { Credential } from '#auth/principal.ts'
import type { ConnectionPool } from '#database/pool.ts'

export type ModePools = Readonly<Record<Mode, ConnectionPool>>

/** A live credential can't act as the clinician, whatever its scopes. */
export function gateMode(operation: CredentialOperation, mode: Mode): void {
  if (operation.mode === 'test' && mode === 'live') {
    throw new Problem('forbidden', { detail: 'This operation exists in test mode only.' })
  }
  if (operation.refuses?.includes('live_not_available') && mode === 'live') {
    throw new Problem('live_not_available', {
      detail: 'In live mode only the clinic can remove a filed document.',
    })
  }
}

/** An installation that doesn't meet live mode's requirements refuses every live call. */
export function gateOpen(mode: Mode, isLiveOpen: () => boolean): void {
  if (mode === 'test' || isLiveOpen()) return
  throw new Problem('service_unavailable', {
    detail: 'Live mode is not open on this server.',
    hint: 'Retrying does not help. Use test mode, or ask the operator to run npm run admin -- doctor --live, which lists what is missing.',
    headers: { 'retry-after': '60' },
  })
}

/** In live mode, deliveries wait while the integration has no agreement in effect. */
export const waitsForAgreement = (mode: Mode): boolean => mode === 'live'

/** Live calls require a business associate agreement in effect; sandbox calls don't. */
export function gateAgreement(credential: Credential): void {
  if (credential.mode === 'live' && !credential.agreed) throw new Problem('baa_required')
}

/** Live slots are the working hours of the clinic's clinicians, booked by all its integrations.
 *  Each sandbox has a weekly template and its own clinicians. */
export const hasWorkingHours = (mode: Mode): boolean => mode === 'live'

/** A sandbox has its own clock, which may be ahead of real time. */
export const hasOwnClock = (mode: Mode): boolean => mode === 'test'

/** In live mode, the clinic keeps the record of a patient the integration deleted; only the
 *  integration stops seeing it. */
export const erasesDeleted = (mode: Mode): boolean => mode === 'test'

/** Sandbox rows are hidden after thirty days, then removed. */
export const hidesOldRows = (mode: Mode): boolean => mode === 'test'

/** The worker's own changes in live mode are audited. */
export const recordsWork = (mode: Mode): boolean => mode === 'live'

/** A sandbox charge has an event but doesn't count toward usage. */
export const countsCharges = (mode: Mode): boolean => mode === 'live'

/** In the sandbox, the worker assembles the bundle, so clients must implement polling. */
export const exportsAtOnce = (mode: Mode): boolean => mode === 'live'

/** The sandbox doesn't serve document contents. */
export const servesBytes = (mode: Mode): boolean => mode === 'live'

/** Test accepts uploads and discards their bytes; live stores them, and confirms the file under a
 *  new ID. */
export const keepsUploads = (mode: Mode): boolean => mode === 'live'

/** In live mode, files are attached to a case by POST /v1/files, never by createCase. */
export const takesFilesWhenFiled = (mode: Mode): boolean => mode === 'test'

/** A live response contains real patients' data, so it's kept no longer than promised. */
export const keyHoursKept = (mode: Mode): number =>
  mode === 'live' ? limits.idempotencyHoursPromised : limits.idempotencyDaysKept * 24

/** In test mode, webhooks may go to addresses the operator allowed, such as localhost. */
export const reachesAllowedAddresses = (mode: Mode): boolean => mode === 'test'

/** A sandbox visit has no real patient, so its link opens without asking for a birth date. */
export const asksForBirthDate = (mode: Mode): boolean => mode === 'live'

/** A sandbox visit has no video; its controls simulate the call. */
export const hasVideo = (mode: Mode): boolean => mode === 'live'
