// The text of field errors: the field's name, its requirement, and a value to send. Every API
// writes `X must …` or `X must not …`, never `X is …`; sweeps/field-messages.test.ts checks all
// messages. No message repeats a value from the request.

import { statesByName } from '../api/address.ts'
import { slugPattern } from '../content.ts'
import { didYouMean } from './did-you-mean.ts'
import { idForm } from '../ids.ts'
import {
  accountPattern,
  fhirIdPattern,
  fileKindPattern,
  filenamePattern,
  httpsPattern,
  namespacePattern,
  phonePattern,
  postalCodePattern,
  prefixPattern,
  regionPattern,
  resourcePattern,
} from '../shapes.ts'

const count = (many: number, noun: string) => (many === 1 ? `1 ${noun}` : `${many} ${noun}s`)

/** Messages by error code. `form` is a noun with its article: `a date, such as 2026-11-20`. */
export const fieldMessage = {
  required: (name: string) => `${name} must be present.`,
  /** `free` has the names that the request could still use. */
  unknownField: (name: string, free: readonly string[] = []) =>
    `${name} must not be present: this request has no such field.${question(name, free)}`,
  unknownParameter: (name: string, free: readonly string[] = []) =>
    `${name} must not be present: this operation has no such parameter.${question(name, free)}`,
  repeatedParameter: (name: string) => `${name} must appear only once.`,
  wrongType: (name: string, form: string) => `${name} must be ${form}.`,
  invalidFormat: (name: string, form: string) => `${name} must be ${form}.`,
  invalidText: (name: string) =>
    `${name} must not contain a NUL character or an unpaired surrogate.`,
  invalidCursor: (name: string) =>
    `${name} must be the ID of an item in this list, such as the last one you received.`,
  notInEnum: (name: string, values: readonly unknown[], given: string) =>
    `${name} must be one of ${listed(values, given)}.`,
  notUnique: (name: string) => `${name} must not repeat an item.`,
  tooShort: (name: string, least: number) =>
    `${name} must have at least ${count(least, 'character')}.`,
  tooLong: (name: string, most: number) => `${name} must have at most ${count(most, 'character')}.`,
  tooFew: (name: string, least: number) => `${name} must have at least ${count(least, 'item')}.`,
  tooMany: (name: string, most: number) => `${name} must have at most ${count(most, 'item')}.`,
  tooSmall: (name: string, least: number) => `${name} must be at least ${least}.`,
  tooLarge: (name: string, most: number) => `${name} must be at most ${most}.`,
  tooEarly: (name: string, earliest: string) => `${name} must be ${earliest} or later.`,
  inFuture: (name: string) => `${name} must not be in the future.`,
} as const

/** The requirement for each format. */
export const formOfFormat = (format: string): string => formats[format] ?? `a valid ${format}`

const formats: Readonly<Record<string, string | undefined>> = {
  date: 'a date, such as 2026-11-20',
  'date-time': 'a date and time with an offset, such as 2026-11-20T15:04:05Z',
  email: 'a valid email address, such as ada@example.com',
  uri: 'an https URL without credentials, such as https://example.com/path',
}

/** Returns a pattern's requirement: an ID's whole form, because a cut-off ID has the right prefix;
 *  otherwise an example. */
export function formOfPattern(pattern: string): string {
  const prefix = /^\^([a-z]+)_\[0-7\]/.exec(pattern)?.[1]
  return prefix ? idForm(prefix) : (forms[pattern] ?? 'in the format in the API reference')
}

const forms: Readonly<Record<string, string | undefined>> = {
  [phonePattern]: 'a phone number in E.164 form, such as +12025550100',
  [postalCodePattern]: 'a US ZIP code, such as 10001 or 10001-0001',
  [httpsPattern]: 'an https URL, such as https://example.com/path',
  [filenamePattern]: 'a file name without folders or control characters, such as labs.pdf',
  [slugPattern]: 'lowercase words joined by hyphens, such as webhooks-you-can-trust',
  [regionPattern]: 'an AWS region, such as us-east-1',
  [accountPattern]: 'an AWS account ID of 12 digits',
  [resourcePattern]:
    'letters, digits, dots, underscores and hyphens, starting with a letter or digit',
  [namespacePattern]: 'an Event Hubs namespace, such as clinic-events',
  [prefixPattern]: 'empty, or folders that each end with a slash, such as events/clinic/',
  [fhirIdPattern]: 'a FHIR ID: the /v1 ID with - instead of _',
  [fileKindPattern]:
    'lowercase letters, digits and underscores, starting with a letter, such as photo_id',
}

/** For longer lists, only the size and the nearest value are shown. */
const listedMax = 12

const listed = (values: readonly unknown[], given: string): string =>
  values.length > listedMax
    ? `the ${values.length} values in the API reference, such as ${nearest(values, given)}`
    : values.filter(value => value !== null).join(', ')

/** Returns the value that was probably meant, such as NY for New York; otherwise, the first one. */
function nearest(values: readonly unknown[], given: string): string {
  const texts = values.filter(value => typeof value === 'string')
  const names = [...statesByName].filter(([, state]) => texts.includes(state))
  const meant = didYouMean(given, [...texts, ...names.map(([name]) => name)])
  return (meant && (statesByName.get(meant) ?? meant)) ?? texts[0] ?? ''
}

function question(name: string, free: readonly string[]): string {
  const meant = didYouMean(name, free)
  return meant === undefined ? '' : ` Did you mean ${meant}?`
}

const typeForms: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  int: 'an integer',
  boolean: 'true or false',
  array: 'a JSON array',
  object: 'a JSON object',
  record: 'a JSON object',
}

/** Returns the requirement for a type from JSON Schema or a validator. */
export const formOfType = (type: string): string => typeForms[type] ?? 'of a different type'
