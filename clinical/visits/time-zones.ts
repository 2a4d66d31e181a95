// In which zone a state's clocks run: of a state with two, the zone of most of its people
// (contract/06, section 3).

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

/** The IANA zone of a state. The contract admits no other states than the 51 that have one. */
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

/** What the clocks of a zone say at a moment, milliseconds since 1970. */
export function localTimeAt(zone: string, moment: number): LocalTime {
  const read: Record<string, number> = {}
  for (const { type, value } of clockOf(zone).formatToParts(moment)) read[type] = Number(value)
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = read
  return { year, month, day, hour, minute }
}

const minuteMilliseconds = 60_000
const dayMilliseconds = 86_400_000

/** How far a zone's clocks are ahead of UTC at a moment, in milliseconds. */
function offsetAt(zone: string, moment: number): number {
  const { year, month, day, hour, minute } = localTimeAt(zone, moment)
  const whole = Math.floor(moment / minuteMilliseconds) * minuteMilliseconds
  return Date.UTC(year, month - 1, day, hour, minute) - whole
}

/**
 * The moments at which the clocks of a zone show these minutes of one local day. A time that the
 * clocks skip has none; one that they show twice is read as the first.
 */
export function momentsOf(
  zone: string,
  [year, month, day]: readonly [number, number, number],
  minutes: readonly number[],
): number[] {
  const midnight = Date.UTC(year, month - 1, day)
  // Clocks change at most once between the two, and what holds at either is all that can hold.
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
