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

type LocalTime = { year: number; month: number; day: number; hour: number; minute: number }

const clocks = new Map<string, Intl.DateTimeFormat>()
function clockOf(zone: string): Intl.DateTimeFormat {
  let clock = clocks.get(zone)
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    })
    clocks.set(zone, clock)
  }
  return clock
}

/** The local time of a zone at a timestamp, milliseconds since 1970. */
export function localTimeAt(zone: string, moment: number): LocalTime {
  const read: Record<string, number> = {}
  for (const { type, value } of clockOf(zone).formatToParts(moment)) read[type] = Number(value)
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = read
  return { year, month, day, hour, minute }
}

const minuteMilliseconds = 60_000
const dayMilliseconds = 86_400_000

/** The UTC offset of a zone at a timestamp, in milliseconds. */
function offsetAt(zone: string, moment: number): number {
  const { year, month, day, hour, minute } = localTimeAt(zone, moment)
  const whole = Math.floor(moment / minuteMilliseconds) * minuteMilliseconds
  return Date.UTC(year, month - 1, day, hour, minute) - whole
}

/**
 * The timestamps of these minutes of one local day. A local time that a clock change skips has
 * none; one that is repeated means the first occurrence.
 */
export function momentsOf(
  zone: string,
  [year, month, day]: readonly [number, number, number],
  minutes: readonly number[],
): number[] {
  const midnight = Date.UTC(year, month - 1, day)
  // The offset changes at most once between the two, so one of both applies to every minute.
  const before = offsetAt(zone, midnight - dayMilliseconds / 2)
  const after = offsetAt(zone, midnight + 1.5 * dayMilliseconds)
  const local = minutes.map(minute => midnight + minute * minuteMilliseconds)
  if (before === after) return local.map(time => time - before)
  const earlier = Math.max(before, after)
  const later = Math.min(before, after)
  return local.flatMap(time => {
    const found = [time - earlier, time - later].find(at => offsetAt(zone, at) === time - at)
    return found === undefined ? [] : [found]
  })
}
