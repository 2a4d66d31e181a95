// Validation at each rule's limit, and its messages.

import { describe, expect, test } from 'bun:test'
import { Type, type TSchema } from 'typebox'
import { closed, day, idOf, moment, nullable, oneOf, text, whole } from '#contract/shapes.ts'
import { Reader, shapeOf, short } from './validate.ts'

const now = Date.parse('2026-11-20T15:04:05.678Z')

function read(schema: TSchema, value: unknown, pointer = '#/value') {
  const reader = new Reader(now)
  const result = reader.read(shapeOf(schema), value, pointer, 'value')
  return { read: result, faults: reader.faults.map(({ code, message }) => `${code}: ${message}`) }
}

const few = Type.Array(text(1, 3), { minItems: 1, maxItems: 2, uniqueItems: true })
const pastDay = day({ 'x-earliest': '1900-01-01', 'x-latest': 'now' })
const cursor = idOf('patient', { 'x-cursor': true })
/** Accepts any of several schemas; none accepts null. */
const either = (...anyOf: TSchema[]) => Type.Unsafe({ anyOf })

describe('validate: accepts', () => {
  const accepted: [TSchema, unknown][] = [
    [text(1, 3), 'a'],
    [text(1, 3), 'abc'],
    // The lowest and highest characters that take two units.
    [text(1, 3), '\u{10000}\u{10000}\u{10000}'],
    [text(1, 3), '\u{10ffff}\u{10ffff}\u{10ffff}'],
    [text(1, 3), '\uff05\uff05\uff05'],
    [Type.String(), ''],
    [whole(1, 9), 1],
    [whole(1, 9), 9],
    [Type.Integer(), -9_007_199_254_740_991],
    [Type.Integer(), 9_007_199_254_740_991],
    [Type.Boolean(), true],
    [Type.Boolean(), false],
    [few, ['a']],
    [few, ['a', 'b']],
    [Type.Array(text(1, 3)), []],
    [Type.Array(text(1, 3)), ['a', 'b', 'a', 'a']],
    [pastDay, '1900-01-01'],
    [pastDay, '2026-11-20'],
    [nullable(text(1, 3)), null],
    [nullable(whole(1, 9)), null],
    [nullable(oneOf(['a', 'b'])), null],
    [nullable(moment()), null],
    [nullable(closed({})), null],
    [nullable(Type.Object({}, { additionalProperties: false, $id: 'Named' })), null],
    [either(text(1, 3)), 'abc'],
  ]
  test.each(accepted)('%j: %j', (schema, value) => {
    expect(read(schema, value)).toStrictEqual({ read: value, faults: [] })
    // As a required field, the value is also accepted, even if it's an allowed null.
    const required = closed({ member: schema })
    expect(read(required, { member: value })).toStrictEqual({ read: { member: value }, faults: [] })
  })

  test('an object without its optional fields, adding only defaults', () => {
    const optional = closed({
      bare: Type.Optional(text(1, 3)),
      filled: Type.Optional(text(1, 3, { default: 'x' })),
    })
    expect(read(optional, {})).toStrictEqual({ read: { filled: 'x' }, faults: [] })
  })
})

describe('validate: says what a value must be', () => {
  const refused: [TSchema, unknown, string][] = [
    [text(1, 3), 1, 'wrong_type: value must be a string.'],
    [whole(1, 9), '1', 'wrong_type: value must be an integer.'],
    [Type.Boolean(), 'true', 'wrong_type: value must be true or false.'],
    [few, 'a', 'wrong_type: value must be a JSON array.'],
    [closed({}), [], 'wrong_type: value must be a JSON object.'],
    [either(text(1, 3)), null, 'wrong_type: value must be a string.'],
    [
      text(1, 3),
      'a\0',
      'invalid_format: value must not contain a NUL character or an unpaired surrogate.',
    ],
    [
      Type.String({ format: 'email' }),
      'ada',
      'invalid_format: value must be a valid email address, such as ada@example.com.',
    ],
    [
      idOf('patient'),
      'pat_01m7wqrwr07',
      'invalid_format: value must be pat_ followed by 26 lowercase letters and digits.',
    ],
    [
      cursor,
      'nope',
      'invalid_cursor: value must be the ID of an item in this list, such as the last one you received.',
    ],
    [oneOf(['a', 'b']), 'c', 'not_in_enum: value must be one of a, b.'],
    [text(1, 3), '', 'too_short: value must have at least 1 character.'],
    [text(1, 3), 'abcd', 'too_long: value must have at most 3 characters.'],
    [text(1, 3), '\u{10000}'.repeat(4), 'too_long: value must have at most 3 characters.'],
    [text(1, 3), '\uff05'.repeat(4), 'too_long: value must have at most 3 characters.'],
    [whole(1, 9), 0, 'too_small: value must be at least 1.'],
    [whole(1, 9), 10, 'too_large: value must be at most 9.'],
    [Type.Integer(), 2 ** 53, 'too_large: value must be at most 9007199254740991.'],
    [few, [], 'too_few: value must have at least 1 item.'],
    [few, ['a', 'b', 'c'], 'too_many: value must have at most 2 items.'],
    [few, ['a', 'a'], 'not_unique: value must not repeat an item.'],
    [pastDay, '1899-12-31', 'too_small: value must be 1900-01-01 or later.'],
    [pastDay, '2026-11-21', 'too_large: value must not be in the future.'],
  ]
  test.each(refused)('%j: %j', (schema, value, fault) => {
    expect(read(schema, value).faults).toEqual([fault])
  })

  test('how to write a plus in a URL that has a space instead, and nowhere else', () => {
    const must =
      'invalid_format: value must be a date and time with an offset, such as 2026-11-20T15:04:05Z.'
    const spaced = '2026-11-20T16:04:05 01:00'
    expect(read(moment(), spaced, '?value').faults).toEqual([`${must} In a URL, write + as %2B.`])
    expect(read(moment(), spaced, '#/value').faults).toEqual([must])
    expect(read(moment(), 'yesterday', '?value').faults).toEqual([must])
  })

  test('only the first 100 faults, including missing fields', () => {
    const names = Array.from({ length: 150 }, (_, at) => `m${at}`)
    const all = closed(Object.fromEntries(names.map(name => [name, text(1, 3)])))
    const { faults } = read(all, {})
    expect(faults).toEqual(names.slice(0, 100).map(name => `required: ${name} must be present.`))
  })

  test('the first 64 characters of a name the caller sent', () => {
    expect(short('n'.repeat(64))).toBe('n'.repeat(64))
    expect(short('n'.repeat(65))).toBe(`${'n'.repeat(64)}…`)
  })
})
