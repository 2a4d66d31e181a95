// What the forms of the schedule do. The database checks who may.
import {
  addCalendarException,
  addWorkingHours,
  removeFromCalendar,
} from '#auth/clinics/calendar.ts'
import { isTimeZone } from '#auth/clinics/settings.ts'
import type { ClinicChange, RefusedClinicChange } from '#auth/clinics/staff.ts'
import { formats } from '#contract/api/text-formats.ts'
import { momentOf } from '#http/html/form-text.ts'
import type { Connection } from '#database/pool.ts'
import type { ConsoleCall, ConsoleContext, ConsoleHandler } from '../../context.ts'
import { type Faults, schedulePage } from './schedule.tsx'

async function change(
  context: ConsoleContext,
  call: ConsoleCall,
  faults: Faults,
  work: (connection: Connection) => Promise<ClinicChange>,
) {
  if (Object.keys(faults).length > 0) return schedulePage(context, call, { faults, refusal: null })
  const { refusal } = await context.pool.use(work)
  if (refusal !== null) {
    return schedulePage(context, call, { faults: {}, refusal: texts[refusal] ?? 'It was refused.' })
  }
  return { redirect: call.pathOf('schedule', {}, { done: call.row }) }
}

const texts: Partial<Record<RefusedClinicChange, string>> = {
  admin_required: 'Only an administrator changes the hours of another clinician.',
  not_found: 'There is none of that id, or the person is not a clinician of the clinic.',
  too_many: 'A clinician has a hundred weekly hours and five hundred exceptions at most.',
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
  if (!/^[0-6]$/.test(text('weekday'))) faults.weekday = 'The weekday must be chosen.'
  if (!isTime(starts_at)) faults.starts_at = 'The beginning must be a time, as 09:00.'
  if (!isTime(ends_at)) faults.ends_at = 'The end must be a time, as 17:00.'
  else if (ends_at <= starts_at) faults.ends_at = 'The end must be after the beginning.'
  if (!isTimeZone(time_zone)) faults.time_zone = 'The time zone must be as America/New_York.'
  for (const [name, day] of [
    ['valid_from', valid_from],
    ['valid_to', valid_to],
  ] as const) {
    if (day !== null && !isDay(day)) faults[name] = 'The day must be as 2027-01-31.'
  }
  if (valid_to !== null && !faults.valid_to && valid_to < (valid_from ?? today(context))) {
    faults.valid_to = 'The last day must not be before the first.'
  }
  const hours = { weekday, starts_at, ends_at, time_zone, valid_from, valid_to }
  return change(context, call, faults, connection =>
    addWorkingHours(connection, text('person'), hours, call.act),
  )
}

const today = ({ now }: ConsoleContext) => new Date(now()).toISOString().slice(0, 10)

export const addException: ConsoleHandler = (context, call) => {
  const text = (name: string) => (call.form.get(name) ?? '').trim()
  const moment = (name: string) => formats['date-time']?.(momentOf(text(name)) ?? '') ?? null
  const [starts_at, ends_at] = [moment('from'), moment('to')]
  const kind = text('kind') === 'extra' ? 'extra' : 'off'
  const faults: Faults = {}
  if (starts_at === null) faults.from = 'The beginning must be a day and a time.'
  if (ends_at === null) faults.to = 'The end must be a day and a time.'
  else if (starts_at !== null && ends_at <= starts_at) {
    faults.to = 'The end must be after the beginning.'
  }
  return change(context, call, faults, connection =>
    addCalendarException(
      connection,
      text('whose'),
      { kind, starts_at: starts_at ?? '', ends_at: ends_at ?? '' },
      call.act,
    ),
  )
}

export const removeHours: ConsoleHandler = (context, call) =>
  change(context, call, {}, connection =>
    removeFromCalendar(connection, call.names['id'] ?? '', call.act),
  )
