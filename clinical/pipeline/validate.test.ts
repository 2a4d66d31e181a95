// Request validation: fault codes, pointers and order, and the values of valid input.

import { describe, expect, test } from 'bun:test'
import { Type, type TSchema } from 'typebox'
import type { Fault, FaultCode } from '#contract/faults.ts'
import { closed, day, idOf, moment, nullable, oneOf, text, whole } from '#contract/shapes.ts'
import { escapePointer } from '#contract/faults.ts'
import { Reader, shapeOf } from './validate.ts'

const now = Date.parse('2026-11-20T15:04:05.678Z')

function read(schema: TSchema, value: unknown): { read: unknown; faults: readonly Fault[] } {
  const reader = new Reader(now)
  const result = reader.read(shapeOf(schema), value, '#', 'The body')
  return { read: result, faults: reader.faults }
}

/** Returns each fault as `pointer code`. */
const faults = (schema: TSchema, value: unknown) =>
  read(schema, value).faults.map(fault => `${fault.pointer} ${fault.code}`)

const wide = closed({
  value: Type.Optional(text(1, 3)),
  list: Type.Optional(Type.Array(text(1, 3))),
})
const holding = (schema: TSchema) => closed({ value: schema })
const cursor = idOf('patient', { 'x-cursor': true })
const pastDay = day({ 'x-earliest': '1900-01-01', 'x-latest': 'now' })
const pastMoment = moment({ 'x-earliest': '1900-01-01', 'x-latest': 'now' })
const few = Type.Array(text(1, 3), { minItems: 1, maxItems: 2, uniqueItems: true })

const anId = 'pat_01m7wqrwr07q7txy3ntfjc6jem'

type Case = [FaultCode, TSchema, unknown]
const cases: Case[] = [
  ['wrong_type', text(1, 3), 1],
  ['wrong_type', text(1, 3), true],
  ['wrong_type', text(1, 3), ['a']],
  ['wrong_type', text(1, 3), {}],
  ['wrong_type', whole(1, 9), '1'],
  ['wrong_type', whole(1, 9), 1.5],
  ['wrong_type', whole(1, 9), Number.POSITIVE_INFINITY],
  ['wrong_type', Type.Boolean(), 'true'],
  ['wrong_type', Type.Boolean(), 0],
  ['wrong_type', few, 'a'],
  ['wrong_type', few, { 0: 'a', length: 1 }],
  ['wrong_type', closed({}), []],
  ['wrong_type', closed({}), 'a'],
  ['wrong_type', nullable(closed({})), 7],
  ['wrong_type', nullable(text(1, 3)), 7],
  ['invalid_format', text(1, 3), '\0'],
  ['invalid_format', text(1, 3), '\ud800'],
  ['invalid_format', text(1, 3), 'a\udc00'],
  ['invalid_format', oneOf(['a']), 'a\0'],
  ['invalid_format', idOf('patient'), anId.toUpperCase()],
  ['invalid_format', idOf('patient'), anId.replace('pat', 'case')],
  ['invalid_format', idOf('patient'), `${anId}0`],
  ['invalid_format', idOf('patient'), `${anId}\n`],
  ['invalid_format', pastDay, '2026-02-30'],
  ['invalid_format', pastMoment, 'yesterday'],
  ['invalid_format', Type.String({ format: 'email' }), 'ada'],
  ['invalid_cursor', cursor, 'nope'],
  ['invalid_cursor', cursor, anId.replace('pat', 'case')],
  ['not_in_enum', oneOf(['a', 'b']), 'c'],
  ['not_in_enum', oneOf(['a', 'b']), 'A'],
  ['not_in_enum', oneOf(['a', 'b']), 'toString'],
  ['not_in_enum', nullable(oneOf(['a', 'b'])), 'null'],
  ['too_short', text(1, 3), ''],
  ['too_long', text(1, 3), 'abcd'],
  ['too_long', text(1, 3), '🧪🧪🧪🧪'],
  ['too_small', whole(1, 9), 0],
  ['too_small', whole(1, 9), -0],
  ['too_small', whole(1, 9), -1e308],
  ['too_small', Type.Integer(), Number.MIN_SAFE_INTEGER - 1],
  ['too_small', pastDay, '1899-12-31'],
  ['too_small', pastMoment, '1900-01-01T00:00:00+00:01'],
  ['too_large', whole(1, 9), 10],
  ['too_large', whole(1, 9), 2 ** 53 + 2],
  ['too_large', Type.Integer(), 2 ** 53],
  ['too_large', pastDay, '2026-11-21'],
  ['too_large', pastMoment, '2026-11-20T15:04:05.679Z'],
  ['too_large', pastMoment, '2026-11-21'],
  ['too_few', few, []],
  ['too_many', few, ['a', 'b', 'c']],
  ['unsafe_url', Type.String({ 'x-webhook': true }), 'http://example.com'],
]

describe('validate: fault', () => {
  for (const [code, schema, value] of cases) {
    test(`${code}: ${JSON.stringify(value)} for ${JSON.stringify(schema)}`, () => {
      expect(faults(holding(schema), { value })).toEqual([`#/value ${code}`])
      const message = read(holding(schema), { value }).faults[0]?.message ?? ''
      expect(message).toEndWith('.')
      // A message names the field and the rule, and never repeats the value.
      if (typeof value === 'string' && value.length > 4) expect(message).not.toContain(value)
    })
  }

  test('required: the field is absent or an invalid null', () => {
    expect(faults(holding(text(1, 3)), {})).toEqual(['#/value required'])
    expect(faults(holding(text(1, 3)), { value: null })).toEqual(['#/value required'])
    expect(faults(holding(text(1, 3)), { value: undefined })).toEqual(['#/value wrong_type'])
  })

  test('wrong_type: null for an optional field that isn’t nullable', () => {
    expect(faults(wide, { value: null })).toEqual(['#/value wrong_type'])
  })

  test('not_unique: one fault for each repeated item', () => {
    const list = Type.Array(text(1, 3), { uniqueItems: true })
    const given = { value: ['a', 'b', 'a', 'a'] }
    expect(faults(holding(list), given)).toEqual(['#/value/2 not_unique', '#/value/3 not_unique'])
  })

  test('unknown_field: includes names that objects inherit, such as constructor', () => {
    const given = JSON.parse('{"another":1,"__proto__":{"a":1},"constructor":1,"toString":null}')
    expect(faults(wide, given)).toEqual(
      ['another', '__proto__', 'constructor', 'toString'].map(name => `#/${name} unknown_field`),
    )
  })

  test('reading stops at the hundredth fault, however large the value is', () => {
    const names = Array.from({ length: 50_000 }, (_, at) => `unheard of ${at}`)
    let reads = 0
    const members = new Proxy(Object.fromEntries(names.map(name => [name, 1])), {
      get: () => void reads++,
    })
    expect(faults(wide, members)).toHaveLength(100)
    expect(reads).toBe(100)
    const list = { list: Array.from({ length: 50_000 }, () => 'too long') }
    const { read: kept, faults: found } = read(wide, list)
    expect([found.length, (kept as typeof list).list.length]).toEqual([100, 100])
  })

  // The compiler requires an entry here for each code in the contract.
  const raisedBy: Record<FaultCode, 'reader' | 'others'> = {
    required: 'reader',
    unknown_field: 'reader',
    wrong_type: 'reader',
    invalid_format: 'reader',
    invalid_json: 'others',
    not_in_enum: 'reader',
    too_short: 'reader',
    too_long: 'reader',
    too_small: 'reader',
    too_large: 'reader',
    too_few: 'reader',
    too_many: 'reader',
    not_unique: 'reader',
    unknown_reference: 'others',
    mismatch: 'others',
    not_allowed: 'others',
    not_allowed_in_live: 'others',
    invalid_cursor: 'reader',
    unsafe_url: 'reader',
  }

  test('every code the reader uses is tested here', () => {
    const tried = new Set<string>(cases.map(([code]) => code))
    for (const code of ['required', 'unknown_field', 'not_unique']) tried.add(code)
    const codes = Object.entries(raisedBy).filter(([, by]) => by === 'reader')
    expect([...tried].sort()).toEqual(codes.map(([code]) => code).sort())
  })
})

describe('validate: pointers and order', () => {
  const deep = closed({
    first: text(1, 3),
    inner: closed({ list: Type.Array(wide) }),
    last: text(1, 3),
  })

  test('document order: sent fields, then missing ones', () => {
    const given = { zero: 0, inner: { list: [{ value: 1 }, {}, { list: ['', 2] }], extra: 1 } }
    expect(faults(deep, given)).toEqual([
      '#/zero unknown_field',
      '#/inner/list/0/value wrong_type',
      '#/inner/list/2/list/0 too_short',
      '#/inner/list/2/list/1 wrong_type',
      '#/inner/extra unknown_field',
      '#/first required',
      '#/last required',
    ])
  })

  const pointers: [string, string][] = [
    ['plain', 'plain'],
    ['', ''],
    ['a/b', 'a~1b'],
    ['a~b', 'a~0b'],
    ['~1', '~01'],
    ['a b', 'a%20b'],
    ['a#b?c%d', 'a%23b%3Fc%25d'],
    ['ü', '%C3%BC'],
    ['\0', '%00'],
    ['"\\<', '%22%5C%3C'],
    // A lone surrogate can't be encoded in UTF-8.
    ['\ud800', '%EF%BF%BD'],
  ]
  for (const [name, escaped] of pointers) {
    test(`the field ${JSON.stringify(name)} is #/${escaped}`, () => {
      expect(escapePointer(name)).toBe(escaped)
      expect(faults(wide, { [name]: 1 })).toEqual([`#/${escaped} unknown_field`])
    })
  }

  test('a long name is truncated in pointer and message', () => {
    const [fault] = read(wide, { ['n'.repeat(5000)]: 1 }).faults
    expect(fault?.pointer).toBe(`#/${'n'.repeat(64)}%E2%80%A6`)
    expect(fault?.message.length).toBeLessThan(120)
  })

  test('only the first 100 faults are reported', () => {
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`m${at}`, at]))
    const reported = faults(wide, many)
    expect(reported).toHaveLength(100)
    expect(reported[0]).toBe('#/m0 unknown_field')
    expect(reported.at(-1)).toBe('#/m99 unknown_field')
  })

  test('a list that’s too long is one fault, and its items aren’t read', () => {
    const value = Array.from({ length: 100_000 }, () => 0)
    expect(faults(holding(few), { value })).toEqual(['#/value too_many'])
  })
})

describe('validate: values', () => {
  const filling = closed({
    word: Type.Optional(text(1, 9, { default: 'plain' })),
    none: Type.Optional(nullable(text(1, 9, { default: null }))),
    flag: Type.Optional(Type.Boolean({ default: false })),
    bare: Type.Optional(text(1, 9)),
    list: Type.Optional(Type.Array(text(1, 9), { default: [] })),
    inner: Type.Optional(closed({ count: Type.Optional(whole(0, 9, { default: 0 })) })),
  })

  test('defaults fill only absent fields, at every depth', () => {
    expect(read(filling, {}).read).toEqual({ word: 'plain', none: null, flag: false, list: [] })
    const given = { word: 'x', none: 'y', flag: true, list: ['z'], inner: {} }
    expect(read(filling, given).read).toEqual({ ...given, inner: { count: 0 } })
    expect(read(filling, { none: null }).read).toMatchObject({ none: null })
  })

  test('lengths are counted in code points, and limits are inclusive', () => {
    for (const value of ['🧪🧪🧪', 'abc', '한글자', '🧪']) {
      expect(read(holding(text(1, 3)), { value })).toEqual({ read: { value }, faults: [] })
    }
    // One grapheme of seven code points has length 7.
    expect(faults(holding(text(1, 6)), { value: '👨‍👩‍👧‍👦' })).toEqual(['#/value too_long'])
    expect(faults(holding(text(1, 7)), { value: '👨‍👩‍👧‍👦' })).toEqual([])
  })

  test('texts aren’t trimmed, case-folded or normalized', () => {
    for (const value of [' a ', 'e\u0301', '\u202e', '<b>', "' or 1=1", 'a\nb']) {
      expect(read(holding(text(1, 9)), { value }).read).toEqual({ value })
    }
  })

  test('-0 is read as 0', () => {
    const found = read(holding(whole(0, 9)), { value: -0 })
    expect(Object.is((found.read as { value: number }).value, 0)).toBe(true)
  })

  test('timestamps are normalized, and bounds are inclusive', () => {
    const of = (value: string) => read(holding(pastMoment), { value }).read
    expect(of('2026-11-20T16:04:05.6789+01:00')).toEqual({ value: '2026-11-20T15:04:05.678Z' })
    expect(of('1900-01-01')).toEqual({ value: '1900-01-01T00:00:00.000Z' })
    expect(read(holding(pastDay), { value: '2026-11-20' }).faults).toEqual([])
    expect(read(holding(pastDay), { value: '1900-01-01' }).faults).toEqual([])
  })

  test.each([{}, { $id: 'Counted' }])('a nullable object %j is validated, or null', options => {
    const counted = Type.Object({ count: whole(1, 9) }, { additionalProperties: false, ...options })
    const schema = holding(nullable(counted))
    expect(read(schema, { value: null }).read).toEqual({ value: null })
    expect(faults(schema, { value: { count: 0 } })).toEqual(['#/value/count too_small'])
  })

  test('__proto__ in a body doesn’t change objects’ prototype', () => {
    read(wide, JSON.parse('{"__proto__":{"polluted":true}}'))
    expect({}).not.toHaveProperty('polluted')
  })
})
