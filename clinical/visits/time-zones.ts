// The time zone of each state. For a state with two, the zone of most of its population.

const statesOf: Readonly<Record<string, string>> = {
  'America/New_York': 'CT DC DE FL GA KY MA MD ME NC NH NJ NY OH PA RI SC VA VT WV',
  'America/Detroit': 'MI',
  'America/Indiana/Indianapolis': 'IN',
  'America/Chicago': 'AL AR IA IL KS LA MN MO MS ND NE OK SD TN TX WI',
  'America/Denver': 'CO MT NM UT WY',
  'America/Boise': 'ID',
  'America/Phoenix': 'AZ',
  'America/Los_Angeles': 'CA NV OR WA',
  'America/Anchorage': 'AK',
  'Pacific/Honolulu': 'HI',
}

const zones = new Map(
  Object.entries(statesOf).flatMap(([zone, states]) =>
    states.split(' ').map(state => [state, zone] as const),
  ),
)

/** The IANA time zone of a state. The contract allows only the 51 states listed here. */
export function zoneOf(state: string): string {
  const zone = zones.get(state)
  if (!zone) throw new Error(`no time zone is known of ${state}`)
  return zone
}

/** The local time of a zone at a timestamp, milliseconds since 1970. */
export const localTimeAt = (zone: string, moment: number): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone)

/**
 * The timestamps of these minutes of one local day. A local time that a clock change skips has
 * none; one that is repeated means the first occurrence.
 */
export function momentsOf(
  zone: string,
  [year, month, day]: readonly [number, number, number],
  minutes: readonly number[],
): number[] {
  const midnight = new Temporal.PlainDateTime(year, month, day)
  return minutes.flatMap(minute => {
    const local = midnight.add({ minutes: minute })
    const found = local.toZonedDateTime(zone, { disambiguation: 'earlier' })
    return found.toPlainDateTime().equals(local) ? [found.epochMilliseconds] : []
  })
}
