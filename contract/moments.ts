// Units of time, and timestamps in a time zone, for agents and people.

export const minuteMilliseconds = 60_000
export const hourMilliseconds = 60 * minuteMilliseconds
export const dayMilliseconds = 24 * hourMilliseconds
export const daySeconds = 86_400

/** RFC 3339 with the zone's own offset: `2026-11-23T09:00:00-05:00`. */
export function inZone(moment: string, timeZone: string): string {
  const date = new Date(moment)
  const parts = new Map(
    clock(timeZone)
      .formatToParts(date)
      .map(({ type, value }) => [type, value]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? ''
  const offset = part('timeZoneName').replace('GMT', '') || '+00:00'
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}${offset}`
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** Caches formats, because creating one takes longer than using it two hundred times. There are
 *  only about six hundred zones. */
function clock(timeZone: string): Intl.DateTimeFormat {
  let format = clocks.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'longOffset',
    })
    clocks.set(timeZone, format)
  }
  return format
}

/** A timestamp for people: `Monday, November 23, 2026 at 9:00 AM EST`. */
export const spokenMoment = (moment: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(moment))
