// Local times of each state's zone.

import { timeZones } from '#contract/api/address.ts'

/** The IANA time zone of a state. The contract allows only the 51 states listed here. */
export function zoneOf(state: string): string {
  const zone = timeZones[state]
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
