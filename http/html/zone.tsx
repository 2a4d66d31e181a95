// Times in one zone, each with the zone's name.
import { createContext } from 'preact'
import { LRUCache } from 'lru-cache'
import { now } from '#database/clock.ts'

/** The time zone of a page's times. If null, a script uses the browser's time zone. */
export const Zone = createContext<string | null>(null)

/** The day in the zone at this time. */
export const localDay = (moment: number, zone: string): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone).toPlainDate()

const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 })

function formatIn(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timeZone} ${JSON.stringify(options)}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-US', { timeZone, ...options })
  formats.set(key, made)
  return made
}

const partOf = (at: number, zone: string, style: 'short' | 'shortGeneric'): string =>
  formatIn(zone, { timeZoneName: style })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ?? zone

/** `ET`; if the zone has no short name, its offset at that time, such as `GMT+5:30`. */
export function zoneName(at: number, zone: string): string {
  const generic = partOf(at, zone, 'shortGeneric')
  return /^[A-Z]{2,4}$/.test(generic) && !isRepeated(at, zone) ? generic : partOf(at, zone, 'short')
}

/** Whether this local time occurs twice, as when daylight saving time ends. */
function isRepeated(at: number, zone: string): boolean {
  const local = Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
  const [first, second] = (['earlier', 'later'] as const).map(disambiguation =>
    local.toZonedDateTime(zone, { disambiguation }),
  )
  return first?.epochMilliseconds !== second?.epochMilliseconds
}

type Detail = {
  readonly seconds?: boolean
  /** Shows only the time, because the page already shows the day. */
  readonly timeOnly?: boolean
  /** Omits the zone, because the text after the time names it. */
  readonly unnamed?: boolean
}

/** `Nov 28, 2:27 PM ET`, with the year unless it's the current one. */
export function timeIn(moment: string | number, zone: string, detail: Detail = {}): string {
  const at = new Date(moment).getTime()
  const yearOf = (one: number) => formatIn(zone, { year: 'numeric' }).format(one)
  const day = {
    month: 'short',
    day: 'numeric',
    ...(yearOf(at) !== yearOf(now()) && { year: 'numeric' as const }),
  } as const
  const text = formatIn(zone, {
    ...(detail.timeOnly !== true && day),
    hour: 'numeric',
    minute: '2-digit',
    ...(detail.seconds === true && { second: '2-digit' }),
  }).format(at)
  // A non-breaking space keeps AM or PM with its time.
  const bound = text.replaceAll('\u202f', ' ').replace(/ (?=[AP]M$)/, '\u00a0')
  return detail.unnamed === true ? bound : `${bound}\u00a0${zoneName(at, zone)}`
}

/** A timestamp in the zone, with its seconds on hover. */
export const ZonedTime = ({ at, zone }: { at: string; zone: string }) => (
  <time datetime={at} title={timeIn(at, zone, { seconds: true })} data-local="">
    {timeIn(at, zone)}
  </time>
)

/** The timestamp of a local date and time from an input; undefined for anything else. A time that a
 *  clock change skips resolves to an hour later; a repeated one to the first. */
export function momentFrom(text: string, zone: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text)) return undefined
  const [day = '', time = ''] = text.split('T')
  if (Number.isNaN(Date.parse(`${text.length === 16 ? `${text}:00` : text}Z`))) return undefined
  if (new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) !== day || time > '24')
    return undefined
  return Temporal.PlainDateTime.from(text).toZonedDateTime(zone).toInstant().toString()
}
