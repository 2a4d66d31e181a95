/** Who decides, prescribes and holds visits in the sandbox. */
export const sandboxClinician = 'Sandbox Clinician, MD'
