// A week of the schedule in the page's zone: weekly hours, extra time and time off.
import type { CalendarExceptionRow, WorkingHoursRow } from '#auth/clinics/calendar.ts'
import { timeIn } from '#http/html/zone.tsx'
import type { ConsoleCall } from '../../context.ts'

type Entry = {
  readonly person: string
  readonly kind: 'hours' | 'off' | 'extra'
  readonly from: Temporal.ZonedDateTime
  readonly to: Temporal.ZonedDateTime
}

type Schedule = {
  readonly hours: readonly WorkingHoursRow[]
  readonly exceptions: readonly CalendarExceptionRow[]
}

const weekDays = 7

/** The requested week's Monday; by default, this week's. */
export function mondayOf(asked: string | null, now: number, zone: string): Temporal.PlainDate {
  const day =
    asked !== null && /^\d{4}-\d\d-\d\d$/.test(asked) && !Number.isNaN(Date.parse(asked))
      ? Temporal.PlainDate.from(asked, { overflow: 'constrain' })
      : Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate()
  return day.subtract({ days: day.dayOfWeek - 1 })
}

/** The entries in the seven days from `monday`, in order. */
function entriesOf(
  { hours, exceptions }: Schedule,
  monday: Temporal.PlainDate,
  zone: string,
): readonly Entry[] {
  const first = monday.toZonedDateTime(zone).epochMilliseconds
  const last = monday.add({ days: weekDays }).toZonedDateTime(zone).epochMilliseconds
  // A day in another zone may start on the day before or after.
  const days = Array.from({ length: weekDays + 2 }, (_, at) => monday.add({ days: at - 1 }))
  const weekly = hours.flatMap(one =>
    days
      .filter(day => day.dayOfWeek % weekDays === one.weekday)
      .filter(day => `${day}` >= (one.valid_from ?? '') && `${day}` <= (one.valid_to ?? '9999'))
      .map(day => ({
        person: one.person,
        kind: 'hours' as const,
        from: momentOn(day, one.starts_at, one.time_zone, zone),
        to: momentOn(day, one.ends_at, one.time_zone, zone),
      })),
  )
  const single = exceptions.map(({ person, kind, starts_at, ends_at }) => ({
    person,
    kind,
    from: Temporal.Instant.from(starts_at).toZonedDateTimeISO(zone),
    to: Temporal.Instant.from(ends_at).toZonedDateTimeISO(zone),
  }))
  return [...weekly, ...single]
    .filter(({ from, to }) => to.epochMilliseconds > first && from.epochMilliseconds < last)
    .toSorted((one, other) => one.from.epochMilliseconds - other.from.epochMilliseconds)
}

/** Whether a part of the entry is on the day. */
function isOn(day: Temporal.PlainDate, { from, to }: Entry): boolean {
  const [start, end] = [day, day.add({ days: 1 })].map(one => one.toZonedDateTime(from.timeZoneId))
  return (
    start !== undefined &&
    end !== undefined &&
    Temporal.ZonedDateTime.compare(from, end) < 0 &&
    Temporal.ZonedDateTime.compare(to, start) > 0
  )
}

const momentOn = (day: Temporal.PlainDate, time: string, own: string, zone: string) =>
  day.toZonedDateTime({ timeZone: own, plainTime: time }).withTimeZone(zone)

type WeekProps = {
  readonly call: ConsoleCall
  readonly schedule: Schedule
  readonly monday: Temporal.PlainDate
  readonly today: Temporal.PlainDate
  readonly nameOf: ReadonlyMap<string, string>
}

export function Week({ call, schedule, monday, today, nameOf }: WeekProps) {
  const entries = entriesOf(schedule, monday, call.zone)
  const at = (week: Temporal.PlainDate) => call.pathOf('schedule', {}, { week: `${week}` })
  const sunday = monday.add({ days: weekDays - 1 })
  const dayText = (day: Temporal.PlainDate, weekday?: 'short') =>
    day.toLocaleString('en-US', { month: 'short', day: 'numeric', ...(weekday && { weekday }) })
  return (
    <section class="part">
      <h2>
        {dayText(monday)} – {dayText(sunday)}
        {sunday.year !== today.year && `, ${sunday.year}`}
      </h2>
      <nav class="tabs" aria-label="Weeks">
        <a href={at(monday.subtract({ days: weekDays }))}>Previous week</a>
        <a
          href={call.pathOf('schedule')}
          aria-current={`${today}` >= `${monday}` && `${today}` <= `${sunday}` ? 'page' : undefined}
        >
          This week
        </a>
        <a href={at(monday.add({ days: weekDays }))}>Next week</a>
      </nav>
      <ol class="week">
        {Array.from({ length: weekDays }, (_, n) => monday.add({ days: n })).map(day => (
          <li key={`${day}`} aria-current={day.equals(today) ? 'date' : undefined}>
            <h3>{dayText(day, 'short')}</h3>
            <ul>
              {entries
                .filter(entry => isOn(day, entry))
                .map((entry, key) => (
                  <Shown
                    key={key}
                    day={day}
                    entry={entry}
                    name={nameOf.size > 1 ? nameOf.get(entry.person) : undefined}
                  />
                ))}
            </ul>
          </li>
        ))}
      </ol>
    </section>
  )
}

const kinds = { off: 'Off', extra: 'Extra' } as const

/** The part of an entry that is on the day: its times, or what's left of them. */
function timesOn(day: Temporal.PlainDate, { from, to }: Entry): string {
  const zone = from.timeZoneId
  const { compare } = Temporal.ZonedDateTime
  const begins = compare(from, day.toZonedDateTime(zone)) > 0
  const ends = compare(to, day.add({ days: 1 }).toZonedDateTime(zone)) < 0
  const at = (moment: Temporal.ZonedDateTime, unnamed = false) =>
    timeIn(moment.epochMilliseconds, zone, { timeOnly: true, unnamed })
  if (begins && ends) return `${at(from, true)} – ${at(to)}`
  return begins ? `from ${at(from)}` : ends ? `until ${at(to)}` : 'all day'
}

type ShownProps = {
  readonly day: Temporal.PlainDate
  readonly entry: Entry
  readonly name: string | undefined
}

function Shown({ day, entry, name }: ShownProps) {
  const times = timesOn(day, entry)
  return (
    <li class={entry.kind}>
      {entry.kind === 'hours' ? (
        times.charAt(0).toUpperCase() + times.slice(1)
      ) : (
        <>
          <strong>{kinds[entry.kind]}</strong> {times}
        </>
      )}
      {name !== undefined && <span class="fine"> {name}</span>}
    </li>
  )
}
