// Who acts for a clinic: a clinician, a nurse or the pharmacy. A sandbox control and a staff member
// in live mode change cases, orders and visits in the same way.

export type Actor = {
  /** Null for a sandbox control, which has no person behind it. */
  readonly person: string | null
  /** The name patients see, for example on a prescription. */
  readonly name: string
}

/** Makes all decisions, prescriptions and visits in the sandbox. */
export const sandboxClinician: Actor = { person: null, name: 'Sandbox Clinician, MD' }

/** Moves the sandbox's orders. */
export const sandboxPharmacy: Actor = { person: null, name: 'Sandbox Pharmacy' }
