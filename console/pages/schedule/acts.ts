// Handles the schedule's forms. The database enforces permissions.
import {
  addCalendarException,
  addWorkingHours,
  removeFromCalendar,
} from '#auth/clinics/calendar.ts'
import { isTimeZone } from '#auth/clinics/settings.ts'
import type { ClinicChange, RefusedClinicChange } from '#auth/clinics/staff.ts'
import { formats } from '#contract/api/text-formats.ts'
import { localDay, momentFrom } from '#http/html/zone.tsx'
import type { Connection } from '#database/pool.ts'
import type { ConsoleCall, ConsoleContext, ConsoleHandler } from '../../context.ts'
import { zoneFault } from '../../zone-field.tsx'
import { type Faults, schedulePage } from './schedule.tsx'

type Changed = {
  /** The field with the clinician, if the form has one. */
  readonly field?: 'person' | 'whose'
  /** A day of the week to show the change in. Default: this week. */
  readonly week?: string
}

async function change(
  context: ConsoleContext,
  call: ConsoleCall,
  faults: Faults,
  work: (connection: Connection) => Promise<ClinicChange>,
  { field, week }: Changed = {},
) {
  if (Object.keys(faults).length > 0) return schedulePage(context, call, { faults, refusal: null })
  const { refusal } = await context.pool.use(work)
  if (refusal === 'not_found' && field !== undefined) {
    return schedulePage(context, call, {
      faults: { [field]: 'Choose a clinician.' },
      refusal: null,
    })
  }
  if (refusal !== null) {
    return schedulePage(context, call, {
      faults: {},
      refusal: texts[refusal] ?? 'This change wasn’t saved. Try again.',
    })
  }
  return { redirect: call.pathOf('schedule', {}, { week, done: call.row }) }
}

const texts: Partial<Record<RefusedClinicChange, string>> = {
  admin_required: 'Only an administrator can change another clinician’s schedule.',
  not_found: 'This entry no longer exists.',
  too_many:
    'A clinician can have up to 100 weekly entries and 500 entries for time off or extra time.',
}

const isTime = (text: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text)
const isDay = (text: string) => formats['date']?.(text) != null

export const addHours: ConsoleHandler = (context, call) => {
  const { form } = call
  const text = (name: string) => (form.get(name) ?? '').trim()
  const [starts_at, ends_at, time_zone] = [text('starts_at'), text('ends_at'), text('time_zone')]
  const [valid_from, valid_to] = [text('valid_from') || null, text('valid_to') || null]
  const faults: Faults = {}
  const weekday = Number(text('weekday'))
  if (!/^[0-6]$/.test(text('weekday'))) faults.weekday = 'Choose a day.'
  if (!isTime(starts_at)) faults.starts_at = 'Enter a start time.'
  if (!isTime(ends_at)) faults.ends_at = 'Enter an end time.'
  else if (ends_at <= starts_at) faults.ends_at = 'Choose an end time after the start time.'
  if (!isTimeZone(time_zone)) faults.time_zone = zoneFault
  for (const [name, day] of [
    ['valid_from', valid_from],
    ['valid_to', valid_to],
  ] as const) {
    if (day !== null && !isDay(day)) faults[name] = 'Enter a date.'
  }
  if (
    valid_to !== null &&
    !faults.valid_to &&
    valid_to < (valid_from ?? dayIn(context, call.zone))
  ) {
    faults.valid_to = 'Choose a last day on or after the first.'
  }
  const first = valid_from ?? (isTimeZone(time_zone) ? dayIn(context, time_zone) : null)
  const hours = { weekday, starts_at, ends_at, time_zone, valid_from: first, valid_to }
  return change(
    context,
    call,
    faults,
    connection => addWorkingHours(connection, text('person'), hours, call.act),
    { field: 'person' },
  )
}

const dayIn = ({ now }: ConsoleContext, zone: string) => `${localDay(now(), zone)}`

export const addException: ConsoleHandler = (context, call) => {
  const text = (name: string) => (call.form.get(name) ?? '').trim()
  const moment = (name: string) => momentFrom(text(name), call.zone) ?? null
  const [starts_at, ends_at] = [moment('from'), moment('to')]
  const kind = (['off', 'extra'] as const).find(one => one === text('kind'))
  const faults: Faults = {}
  if (kind === undefined) faults.kind = 'Choose time off or extra time.'
  if (starts_at === null) faults.from = 'Enter a start date and time.'
  if (ends_at === null) faults.to = 'Enter an end date and time.'
  else if (starts_at !== null && ends_at <= starts_at) {
    faults.to = 'Choose an end after the start.'
  }
  const exception = {
    kind: kind ?? 'off',
    starts_at: starts_at ?? '',
    ends_at: ends_at ?? '',
  }
  return change(
    context,
    call,
    faults,
    connection => addCalendarException(connection, text('whose'), exception, call.act),
    { field: 'whose', week: text('from').slice(0, 10) },
  )
}

export const removeHours: ConsoleHandler = (context, call) =>
  change(context, call, {}, connection =>
    removeFromCalendar(connection, call.names['id'] ?? '', call.act),
  )
