// Names of time zones, as people and programs write them.

/** As IANA spells it, or null: an offset is no zone, because it forgets the next change. */
export function zoneNamed(name: string): string | null {
  return byLowerCase.get(name.trim().toLowerCase()) ?? otherName(name.trim())
}

const byLowerCase = new Map(
  ['UTC', ...Intl.supportedValuesOf('timeZone')].map(name => [name.toLowerCase(), name]),
)

/** Older names, such as `US/Pacific`, are understood and not listed. */
function otherName(name: string): string | null {
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(name)) return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

/** Every zone that a form can offer. */
export const zoneNames: readonly string[] = [...byLowerCase.values()].sort()
