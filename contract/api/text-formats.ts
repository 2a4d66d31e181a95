// Request text formats. Each function returns the value as stored, or null if the text doesn't
// match the format.

type Format = (text: string) => string | null

// PostgreSQL has no year 0.
const dayForm = /^(?!0000)(\d{4})-(\d{2})-(\d{2})$/
const momentForm =
  /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/
const emailForm =
  /^[^\s@"(),:;<>[\\\]\p{Cc}]{1,64}@(?=.{1,253}$)([\da-zA-Z]([\da-zA-Z-]{0,61}[\da-zA-Z])?\.)+[a-zA-Z][\da-zA-Z-]{0,61}[\da-zA-Z]$/u

const isDay = (text: string): boolean => {
  const found = dayForm.exec(text)
  if (!found) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** Returns UTC with milliseconds, truncated rather than rounded, so it's never later than the
 *  timestamp sent. */
function dateTime(text: string): string | null {
  if (isDay(text)) return `${text}T00:00:00.000Z`
  const found = momentForm.exec(text)
  if (!found) return null
  const [, day = '', hour = '', minute = '', second = '', fraction = '', offset = ''] = found
  const offsetForm = offset.toUpperCase()
  const outside = offsetForm !== 'Z' && (offset.slice(1, 3) > '23' || offset.slice(4) > '59')
  if (!isDay(day) || hour > '23' || minute > '59' || second > '59' || outside) return null
  const milliseconds = `${fraction.slice(1, 4)}000`.slice(0, 3)
  const time = new Date(`${day}T${hour}:${minute}:${second}.${milliseconds}${offsetForm}`)
  const year = time.getUTCFullYear()
  return year >= 1 && year <= 9999 ? time.toISOString() : null
}

const httpsForm = /^https:\/\/[^\s/?#@]+([/?#][^\s]*)?$/i

export const formats: Record<string, Format | undefined> = {
  date: text => (isDay(text) ? text : null),
  'date-time': dateTime,
  email: text => (emailForm.test(text) ? text : null),
  uri: text => (httpsForm.test(text) && URL.canParse(text) ? text : null),
}
