// Field errors as pages word them: the field's label, and what to enter. The API's own messages
// name fields as JSON spells them, and calls.
import type { Fault, FaultCode } from '#contract/faults.ts'

type FormField = {
  /** The field's label in a sentence, with its article: `a reason`. */
  readonly name: string
  /** Default: text. */
  readonly kind?: 'number' | 'day' | 'option' | 'list'
  /** The label of a list's items, if each has its own fields: `Medication`. */
  readonly item?: string
  /** What to do about an error whose usual sentence doesn't fit. */
  readonly fixes?: Partial<Record<FaultCode, string | ((message: string) => string)>>
}

/** A page's fields by the name that the API uses. */
export type FormFields = Readonly<Record<string, FormField>>

const fallback = 'Check your entries, then try again.'

/** What to do about each fault. A fault in a field without a label, such as a hidden one, has no
 *  sentence of its own. */
export function faultsText(faults: readonly Fault[], fields: FormFields): string {
  const texts = faults.map(fault => faultText(fault, fields)).filter(text => text !== null)
  return texts.length === 0 ? fallback : [...new Set(texts)].join(' ')
}

function faultText({ pointer, code, message }: Fault, fields: FormFields): string | null {
  const path = pointer.replace(/^(#\/|\?)/, '').split('/')
  const fieldAt = (name: string | undefined) =>
    name !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined
  const field = fieldAt(path.findLast(name => !isIndex.test(name)))
  if (field === undefined) return null
  const fix = field.fixes?.[code] ?? sentences[code]?.(field, limitIn(message))
  const text = typeof fix === 'function' ? fix(message) : fix
  if (text === undefined) return null
  const at = path.findIndex(name => isIndex.test(name))
  const item = fieldAt(path[at - 1])?.item
  return item === undefined
    ? text
    : `${item} ${Number(path[at]) + 1}: ${text.charAt(0).toLowerCase()}${text.slice(1)}`
}

const isIndex = /^\d+$/

/** The limit that a message names: `quantity must be at most 12 for this medication.` */
function limitIn(message: string): string | undefined {
  const [, limit] = /\bat (?:most|least) (\d+)/.exec(message) ?? []
  return limit === undefined ? undefined : Number(limit).toLocaleString('en-US')
}

const nounOf = ({ name }: FormField) => name.replace(/^an? /, '')
const theOf = ({ name }: FormField) => name.replace(/^an? /, 'the ')

type Sentence = (field: FormField, limit: string | undefined) => string

const fill: Sentence = field =>
  field.kind === 'list'
    ? `Choose at least one ${nounOf(field)}.`
    : `${field.kind === 'option' ? 'Choose' : 'Enter'} ${field.name}.`

const correct: Sentence = field =>
  field.kind === undefined ? `Enter a valid ${nounOf(field)}.` : fill(field, undefined)

const wholeNumber: Sentence = (field, limit) =>
  field.kind === 'number' ? `Enter a whole number for ${theOf(field)}.` : fill(field, limit)

const atLeast: Sentence = (field, limit) =>
  field.kind === 'number'
    ? `Enter ${limit === undefined ? 'a larger number' : `${limit} or more`} for ${theOf(field)}.`
    : field.kind === 'day'
      ? `Enter a later ${nounOf(field)}.`
      : correct(field, limit)

const atMost: Sentence = (field, limit) =>
  field.kind === 'number'
    ? `Enter ${limit === undefined ? 'a smaller number' : `${limit} or less`} for ${theOf(field)}.`
    : field.kind === 'day'
      ? `Enter ${field.name} that isn’t after today.`
      : correct(field, limit)

const shorten: Sentence = (field, limit) =>
  limit === undefined
    ? `Shorten ${theOf(field)}.`
    : `Shorten ${theOf(field)} to ${limit} characters or fewer.`

const other: Sentence = field =>
  `${field.kind === undefined ? 'Enter' : 'Choose'} another ${nounOf(field)}.`

const leaveOut: Sentence = field => `Leave out ${theOf(field)}.`

/** The reader of a page can't cause the codes without a sentence. */
const sentences: Partial<Record<FaultCode, Sentence>> = {
  required: fill,
  wrong_type: wholeNumber,
  invalid_format: correct,
  not_in_enum: correct,
  too_short: fill,
  too_long: shorten,
  too_small: atLeast,
  too_large: atMost,
  too_few: fill,
  too_many: (field, limit) =>
    limit === undefined
      ? `Choose fewer ${nounOf(field)}s.`
      : `Choose at most ${limit} ${nounOf(field)}s.`,
  not_unique: field => `Choose each ${nounOf(field)} only once.`,
  unknown_reference: other,
  mismatch: correct,
  not_allowed: leaveOut,
  not_allowed_in_live: leaveOut,
  unsafe_url: correct,
}
