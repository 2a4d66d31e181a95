// A form's errors, worded for its reader. The API's own errors name fields as JSON spells them
// ("url must start with https://"), which suits programs, not people.
import { limits } from '#contract/limits.ts'
import type { Problem } from '#contract/problems.ts'

type FieldError = NonNullable<Problem['content']['errors']>[number]

const seconds = `Enter a whole number of seconds, up to ${limits.autopilotSecondsMax.toLocaleString('en-US')}.`

/** Text for any error in a field. The text says what to enter. */
const byField: Readonly<Record<string, string>> = {
  event_types: 'Choose at least one event type.',
  since: 'Choose a start time in the past.',
  until: 'Choose an end time after the start time.',
  approve_after_s: seconds,
  ship_after_s: seconds,
  advance_by_s: 'The clock can’t go further ahead. Reset the sandbox to set it back.',
  confirm: 'Type reset to confirm. Nothing was deleted.',
}

const urlTexts: readonly (readonly [RegExp, string])[] = [
  [/private/, 'This address isn’t public. Enter one that our servers can reach.'],
  [/https/, 'The URL must start with https:// and name a public host.'],
  [/credentials/, 'Remove the username and password from the URL.'],
  [/fragment/, 'Remove the # part of the URL.'],
  [/spaces/, 'Remove spaces and backslashes from the URL.'],
  [/port/, 'Use port 443, or 1024 or higher.'],
]

function textOf(field: string, { code, message }: FieldError): string {
  if (field === 'url') {
    const known = urlTexts.find(([pattern]) => pattern.test(message))
    return known?.[1] ?? 'Enter a full URL, such as https://hooks.example.com/clinic.'
  }
  const known = byField[field]
  if (known !== undefined) return known
  if (code === 'not_in_enum') return 'Choose one of the options.'
  if (code === 'required' || code === 'too_short') return 'Fill in this field.'
  return sentence(
    message.replace(new RegExp(`^${field} must have`), 'Use').replace(/^\w+ must/, 'This must'),
  )
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Each field's first error, by field name. */
export function faultsOf({
  content,
}: Pick<Problem, 'content'>): Readonly<Record<string, string | undefined>> {
  const named = (content.errors ?? []).map(error => {
    const field = /^(?:#\/|\?)(\w+)/.exec(error.pointer)?.[1] ?? ''
    return [field, textOf(field, error)]
  })
  return Object.fromEntries(named.toReversed()) as Record<string, string>
}
