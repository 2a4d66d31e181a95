// Dates as people read them.

/** `October 2026`, of a moment in UTC. */
export const monthText = (iso: string): string =>
  new Date(iso).toLocaleString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** `October 31, 2026`, of a moment in UTC. */
export const dayText = (iso: string): string =>
  new Date(iso).toLocaleString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
