// The clinician, nurse or pharmacy acting for a clinic. Sandbox controls and live-mode staff change
// cases, orders and visits the same way.

export type Actor = {
  /** Null for a sandbox control, because no person is behind it. */
  readonly person: string | null
  /** The name patients see, for example on a prescription. */
  readonly name: string
}

/** Named on every decision, prescription and visit in the sandbox. */
export const sandboxClinician: Actor = { person: null, name: 'Sandbox Clinician, MD' }

/** The actor that moves orders in the sandbox. */
export const sandboxPharmacy: Actor = { person: null, name: 'Sandbox Pharmacy' }
