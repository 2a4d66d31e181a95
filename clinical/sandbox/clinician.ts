import type { Actor } from '../actor.ts'

/** The clinician of all decisions, prescriptions and visits in the sandbox. */
export const sandboxClinician: Actor = { person: null, name: 'Sandbox Clinician, MD' }

/** Moves the orders of the sandbox. */
export const sandboxPharmacy: Actor = { person: null, name: 'Sandbox Pharmacy' }
