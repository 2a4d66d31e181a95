// IANA time zone names.

/** Returns IANA's spelling of a zone's name, or null. Offsets are refused, because an offset has no
 *  daylight saving rules. */
export function zoneNamed(name: string): string | null {
  return byLowerCase.get(name.trim().toLowerCase()) ?? otherName(name.trim())
}

const byLowerCase = new Map(
  ['UTC', ...Intl.supportedValuesOf('timeZone')].map(name => [name.toLowerCase(), name]),
)

/** Older names, such as `US/Pacific`, are accepted but not listed. */
function otherName(name: string): string | null {
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(name)) return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

/** All time zones that forms offer. */
export const zoneNames: readonly string[] = [...byLowerCase.values()].sort()
