// The clinician whose time a visit takes: one for each state, also when states share a time zone.

export const clinicianOf = (state: string): string => `clinician of ${state}`
