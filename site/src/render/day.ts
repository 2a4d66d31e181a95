const months =
  'January February March April May June July August September October November December'.split(' ')

/** Formats 2026-11-21 as November 21, 2026. Days aren't converted between time zones. */
export function readable(day: string): string {
  const [year = '', month = '', date = ''] = day.split('-')
  return `${months[Number(month) - 1] ?? ''} ${Number(date)}, ${year}`
}

/** Midnight UTC of a day, for formats that need a timestamp. */
export function moment(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`)
}
