// Timestamps in a reader's format.
import { LRUCache } from 'lru-cache'

const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 2000 })

function formatted(moment: string, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  const key = `${timeZone} ${JSON.stringify(options)}`
  let format = formats.get(key)
  if (format === undefined) {
    formats.set(key, (format = new Intl.DateTimeFormat('en-US', { timeZone, ...options })))
  }
  // Intl puts a narrow space before AM, which some email clients show as a box.
  return format.format(new Date(moment)).replaceAll('\u202f', ' ')
}

const day = { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' } as const
const time = { hour: 'numeric', minute: '2-digit' } as const

/** Monday, March 8, 2027 */
export const dayText = (moment: string, timeZone: string) => formatted(moment, timeZone, day)

/** 1:00 PM */
export const timeText = (moment: string, timeZone: string) => formatted(moment, timeZone, time)

/** 1:00 PM EST */
export const timeInZone = (moment: string, timeZone: string) =>
  formatted(moment, timeZone, { ...time, timeZoneName: 'short' })

/** Monday, March 8, 2027, 1:00 PM EST */
export const momentText = (moment: string, timeZone: string) =>
  `${dayText(moment, timeZone)}, ${timeInZone(moment, timeZone)}`

/** 2027-03-08, in local time. */
export const dateIn = (moment: string, timeZone: string): string =>
  Temporal.Instant.from(moment).toZonedDateTimeISO(timeZone).toPlainDate().toString()
