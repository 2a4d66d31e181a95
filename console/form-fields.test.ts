// Errors in the fields of every console operation, as a page words them.
import { describe, expect, test } from 'bun:test'
import type { TSchema } from 'typebox'
import { consoleOperations } from '#contract/console/operations.ts'
import type { ConsoleOperation } from '#contract/console/row.ts'
import { type Fault, type FaultCode, faultCodes } from '#contract/faults.ts'
import { invalid } from '#contract/problems.ts'
import { faultsText } from '#http/pages/fault-text.ts'
import { problemText } from '#http/pages/problem-text.ts'
import { formFields } from './form-fields.ts'

type Shape = {
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
}

/** The pointers to a schema's fields and their own, from a pointer's start. */
function pointersIn({ properties = {}, items, anyOf = [] }: Shape, start: string): string[] {
  const inside = Object.entries(properties).flatMap(([name, shape]) => {
    const pointer = start === '?' ? `?${name}` : `${start}/${name}`
    return [pointer, ...pointersIn(shape, pointer)]
  })
  const item = items === undefined ? [] : [`${start}/1`, ...pointersIn(items, `${start}/1`)]
  return [...inside, ...item, ...anyOf.flatMap(shape => pointersIn(shape, start))]
}

const schemaPointers = (schema: TSchema | 'none' | undefined, start: string) =>
  schema === undefined || schema === 'none' ? [] : pointersIn(schema as Shape, start)

const rows: readonly ConsoleOperation[] = Object.values(consoleOperations)
const bodyPointers = [...new Set(rows.flatMap(({ body }) => schemaPointers(body, '#')))]
const queryPointers = [...new Set(rows.flatMap(({ query }) => schemaPointers(query, '?')))]

const forPrograms = /_|\/v1|\b(GET|POST|PATCH|PUT|DELETE)\b|\bmust\b/
const faultAt = (pointer: string, code: FaultCode, more = ''): Fault => ({
  pointer,
  code,
  message: `days_supply must be an ID from GET /v1/medications.${more}`,
})
const textAt = (...given: Parameters<typeof faultAt>) =>
  problemText(invalid([faultAt(...given)]), {}, formFields)

describe('a form error', () => {
  test('the operations have fields', () => {
    expect(bodyPointers).toContain('#/plan/1/days_supply')
    expect(queryPointers).toContain('?since')
  })

  test.each([...bodyPointers, ...queryPointers, '#', '#/a_new_field'])(
    'in %s names no field or call of the API',
    pointer => {
      for (const code of faultCodes) {
        for (const more of ['', ' It must have at most 2000 characters.']) {
          const text = textAt(pointer, code, more)
          expect(text).not.toMatch(forPrograms)
          expect(text).toMatch(/^[A-Z].*\.$/)
        }
      }
    },
  )

  const hidden = ['#/version', '#/hold', '#/last_message', '#/note_version', '#/unconfirmed']
  test.each(bodyPointers.filter(pointer => !hidden.includes(pointer)))(
    'in %s says which field to fill in',
    pointer => {
      const name = pointer.split('/').findLast(part => part !== '1') ?? ''
      expect(Object.keys(formFields)).toContain(name)
      expect(textAt(pointer, 'required')).not.toBe(textAt(hidden[0] ?? '', 'required'))
    },
  )

  const sentences: [pointer: string, code: FaultCode, message: string, text: string][] = [
    ['#/reason', 'too_short', '', 'Enter a reason.'],
    ['#/plan', 'too_few', '', 'Choose at least one medication.'],
    ['#/plan/1/quantity', 'wrong_type', '', 'Medication 2: enter a whole number for the quantity.'],
    [
      '#/plan/0/quantity',
      'too_large',
      'quantity must be at most 12 for this medication.',
      'Medication 1: enter 12 or less for the quantity.',
    ],
    ['#/disclosed_on', 'too_large', '', 'Enter a date that isn’t after today.'],
    [
      '#/body',
      'too_long',
      'body must have at most 5000 characters.',
      'Shorten your text to 5,000 characters or fewer.',
    ],
  ]
  test.each(sentences)('%s %s %s: %s%s', (pointer, code, message, text) => {
    expect(faultsText([{ pointer, code, message }], formFields)).toBe(text)
  })

  test('is named once, and a hidden field’s error only if there is no other', () => {
    const [reason, version] = [faultAt('#/reason', 'required'), faultAt('#/version', 'required')]
    expect(faultsText([version, reason, reason], formFields)).toBe('Enter a reason.')
    expect(faultsText([version], formFields)).toBe('Check your entries, then try again.')
  })
})
