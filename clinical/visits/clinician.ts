// The clinician whose time a visit takes: one per state, even when states share a time zone.

export const clinicianOf = (state: string): string => `clinician of ${state}`
