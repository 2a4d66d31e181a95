/** The clinician of all decisions, prescriptions and visits in the sandbox. */
export const sandboxClinician = 'Sandbox Clinician, MD'
