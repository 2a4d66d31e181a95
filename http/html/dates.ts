// Dates in a reader's format.

/** Formats a UTC timestamp's month: `October 2026`. */
export const monthText = (iso: string): string =>
  new Date(iso).toLocaleString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Formats a UTC timestamp's day: `October 31, 2026`. */
export const dayText = (iso: string): string =>
  new Date(iso).toLocaleString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
