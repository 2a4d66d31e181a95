const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

/** The unambiguous date forms. */
const forms: readonly [pattern: RegExp, order: readonly ('year' | 'month' | 'day')[]][] = [
  [/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?$/, ['year', 'month', 'day']],
  [/^(\d{4})(\d\d)(\d\d)$/, ['year', 'month', 'day']],
  [/^(\d{1,2})\.(\d{1,2})\.(\d{4})$/, ['day', 'month', 'year']],
  [/^(\d{1,2})(?:st|nd|rd|th)? ([a-z]{3,9})\.?,? (\d{4})$/i, ['day', 'month', 'year']],
  [/^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/i, ['month', 'day', 'year']],
]

/** The day as `2026-01-05`; undefined if the form is ambiguous, as in `05/01/2026`, or if the day
 *  doesn't exist. */
export function parseDay(written: string): string | undefined {
  for (const [pattern, order] of forms) {
    const found = pattern.exec(written.trim())
    if (found === null) continue
    const part = (name: (typeof order)[number]) => found[order.indexOf(name) + 1] ?? ''
    const day = [part('year'), monthOf(part('month')), part('day').padStart(2, '0')].join('-')
    const date = new Date(`${day}T00:00:00.000Z`)
    const isDay = !Number.isNaN(date.valueOf()) && date.toISOString().startsWith(day)
    return isDay ? day : undefined
  }
  return undefined
}

function monthOf(written: string): string {
  const named = months.findIndex(month => month.startsWith(written.toLowerCase()))
  return String(named < 0 ? written : named + 1).padStart(2, '0')
}
