// When a clinic's clinicians see patients: weekly hours, time off and extra time. Administrators
// change any clinician's calendar, and clinicians change their own. The database decides each
// change and writes its audit row (migrations/0008_clinics.sql).

import type { Connection, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { newId } from '../ids.ts'
import { type ActOfClinic, decideClinicChange } from './staff.ts'
import { actOf } from '../act.ts'

export type WorkingHours = {
  /** Sunday is 0. */
  readonly weekday: number
  /** Local times, such as 09:00. */
  readonly starts_at: string
  readonly ends_at: string
  /** An IANA time zone name. */
  readonly time_zone: string
  /** The first and last day, such as 2027-01-31. A null `valid_from` means today, and a null
   *  `valid_to` means until the hours are removed. */
  readonly valid_from: string | null
  readonly valid_to: string | null
}

export type WorkingHoursRow = Row & WorkingHours & { id: string; person: string }

export type CalendarException = {
  readonly kind: 'off' | 'extra'
  /** In RFC 3339. */
  readonly starts_at: string
  readonly ends_at: string
}

export type CalendarExceptionRow = Row & CalendarException & { id: string; person: string }

/** Lists the weekly hours of all clinicians at the clinic. */
export const listWorkingHours = (
  connection: Connection,
  organization: string,
): Promise<WorkingHoursRow[]> =>
  connection.run<WorkingHoursRow>(sql`
    select id, person, weekday, to_char(starts_at, 'HH24:MI') as starts_at,
           to_char(ends_at, 'HH24:MI') as ends_at, time_zone, valid_from::text as valid_from,
           valid_to::text as valid_to
      from auth.working_hours where organization = ${organization}
     order by person, weekday, starts_at, id`)

/** Lists exceptions that aren't over yet. */
export const listCalendarExceptions = (
  connection: Connection,
  organization: string,
): Promise<CalendarExceptionRow[]> =>
  connection.run<CalendarExceptionRow>(sql`
    select id, person, kind, iso(starts_at) as starts_at, iso(ends_at) as ends_at
      from auth.calendar_exceptions
     where organization = ${organization} and ends_at > now()
     order by starts_at, person, id`)

export const addWorkingHours = (
  connection: Connection,
  person: string,
  hours: WorkingHours,
  act: ActOfClinic,
) =>
  decideClinicChange(
    connection,
    sql`auth.add_working_hours(${newId('calendar')}, ${act.organization}, ${person},
          ${JSON.stringify(hours)}::text::jsonb, ${actOf(act)})`,
  )

export const addCalendarException = (
  connection: Connection,
  person: string,
  { kind, starts_at, ends_at }: CalendarException,
  act: ActOfClinic,
) =>
  decideClinicChange(
    connection,
    sql`auth.add_calendar_exception(${newId('calendar')}, ${act.organization}, ${person},
          ${kind}, ${starts_at}::timestamptz, ${ends_at}::timestamptz, ${actOf(act)})`,
  )

/** Removes hours or an exception. Booked visits stay. */
export const removeFromCalendar = (connection: Connection, id: string, act: ActOfClinic) =>
  decideClinicChange(
    connection,
    sql`auth.remove_from_calendar(${id}, ${act.organization}, ${actOf(act)})`,
  )
