// Local times in each state's zone.

import { timeZones } from '#contract/api/address.ts'

/** Returns a state's IANA time zone. The contract allows only the 51 states listed here. */
export function zoneOf(state: string): string {
  const zone = timeZones[state]
  if (!zone) throw new Error(`no time zone is known for ${state}`)
  return zone
}

/** Returns a zone's local time at a timestamp in milliseconds since 1970. */
export const localTimeAt = (zone: string, moment: number): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone)

/** Returns the timestamps of these minutes in one local day. A local time that a clock change skips
 *  has no timestamp, and a repeated local time means its first occurrence. */
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
