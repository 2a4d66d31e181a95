const months =
  'January February March April May June July August September October November December'.split(' ')

/** 2026-11-21 as a reader says it. Dates are the company's days, so no time zone may move them. */
export function readable(day: string): string {
  const [year = '', month = '', date = ''] = day.split('-')
  return `${Number(date)} ${months[Number(month) - 1] ?? ''} ${year}`
}

/** Midnight UTC of a day, for the formats that want a moment. */
export function moment(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`)
}
