// Whose time a visit takes: one clinician for each state (decision C14). California and Nevada
// share a zone and not a clinician.

export const clinicianOf = (state: string): string => `clinician of ${state}`
