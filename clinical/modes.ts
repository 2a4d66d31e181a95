// The differences between test and live, and nothing else. A plane is a schema, a database role
// and a pool of its own; a credential's mode chooses it once, and no statement names a mode.

import type { Mode, Operation } from '#contract/operation.ts'
import { Problem } from '#contract/problems.ts'
import type { Credential } from '#auth/principal.ts'
import type { ConnectionPool } from '#database/pool.ts'
import { sandboxClinician } from './sandbox/clinician.ts'

export type ModePools = Readonly<Record<Mode, ConnectionPool>>

/** A live credential never plays the clinician, whatever its scopes. */
export function gateMode(operation: Operation, mode: Mode): void {
  if (operation.mode === 'test' && mode === 'live') {
    throw new Problem('forbidden', { detail: 'This operation exists in test mode only.' })
  }
  if (operation.refuses?.includes('live_not_available') && mode === 'live') {
    throw new Problem('live_not_available', {
      detail: 'Removing a filed document is a decision of the clinic.',
    })
  }
}

/** Live calls need a business associate agreement in force; the sandbox needs none. */
export function gateAgreement(credential: Credential): void {
  if (credential.mode === 'live' && !credential.agreed) throw new Problem('baa_required')
}

/** The sandbox has its clinician at once; in live the clinic assigns one. */
export const clinicianAtBooking = (mode: Mode): string | null =>
  mode === 'test' ? sandboxClinician : null

/** A sandbox charge is told by its event and enters no usage. */
export const countsCharges = (mode: Mode): boolean => mode === 'live'

/** A sandbox's bundle is left for the worker, so that callers learn to wait for one. */
export const exportsAtOnce = (mode: Mode): boolean => mode === 'live'

/** The sandbox serves no byte of a document back. */
export const servesBytes = (mode: Mode): boolean => mode === 'live'

/** Test accepts uploads and keeps none of their bytes; what live files, it files under a new id. */
export const keepsUploads = (mode: Mode): boolean => mode === 'live'

/** What happens in the sandbox happens to nobody, and says so. */
export const isSandbox = (mode: Mode): boolean => mode === 'test'

/** In live, files reach a case by POST /v1/files, never in the filing itself. */
export const takesFilesWhenFiled = (mode: Mode): boolean => mode === 'test'

/** Receivers on the developer's own machine, where somebody allowed them. Live never calls one. */
export const reachesAllowedAddresses = (mode: Mode): boolean => mode === 'test'
