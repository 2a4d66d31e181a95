// Text from forms: trimmed, without control characters, short enough for its column.
import { formats } from '#contract/api/text-formats.ts'

export type FieldText = { readonly value: string; readonly fault: string | undefined }

/** Reads one line of 1 to `max` characters. `label` is the field's name on the page. */
export function lineOf(form: URLSearchParams, name: string, label: string, max = 200): FieldText {
  const value = (form.get(name) ?? '').trim()
  if (value === '') return { value, fault: `Enter ${named(label)}.` }
  if ([...value].length > max) return { value, fault: tooLong(max) }
  return { value, fault: hasControls(value) ? 'Use a single line of text.' : undefined }
}

/** Reads multi-line text, which may be empty. */
export function textOf(form: URLSearchParams, name: string, max: number): FieldText {
  const value = (form.get(name) ?? '').trim().replaceAll('\r\n', '\n')
  if ([...value].length > max) return { value, fault: tooLong(max) }
  const fault = hasControls(value.replaceAll(/[\n\t]/g, ' '))
  return { value, fault: fault ? 'Remove the control characters.' : undefined }
}

const tooLong = (max: number) => `Use at most ${max} characters.`

/** The label with its article: a name, an email. */
const named = (label: string) =>
  `${/^[aeio]/i.test(label) ? 'an' : 'a'} ${label.charAt(0).toLowerCase()}${label.slice(1)}`

const hasControls = (text: string) => /\p{Cc}/u.test(text)

const emailLengthMax = 254

/** Reads an email address; '' if it's optional and empty. */
export function emailOf(
  form: URLSearchParams,
  name: string,
  { isOptional = false }: { isOptional?: boolean } = {},
): FieldText {
  const value = (form.get(name) ?? '').trim()
  if (value === '') {
    return { value, fault: isOptional ? undefined : 'Enter an email address.' }
  }
  const isAddress = value.length <= emailLengthMax && formats['email']?.(value) !== null
  return {
    value,
    fault: isAddress ? undefined : 'Enter a full email address, such as ada@example.com.',
  }
}

/** Turns a time input's text into a UTC timestamp; time inputs have no zone, and their labels say
 *  UTC. Browsers omit zero seconds. */
export function momentOf(text: string | undefined): string | undefined {
  const [, time, seconds = ':00'] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?$/.exec(text ?? '') ?? []
  return time === undefined ? text : `${time}${seconds}Z`
}
