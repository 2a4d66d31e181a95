// A body's shape contains only schema names, types and counts, no matter what was sent.

import { expect, test } from 'bun:test'
import { callable, callableIds } from '#contract/callable.ts'
import { requestExamples } from '#contract/examples.ts'
import { bodyShapeOf } from './body-shape.ts'

const { createPatient, createCase, answerCase, cancelCase, getPatient } = callable
const shapeOf = (body: unknown, of = createPatient.body) =>
  JSON.parse(bodyShapeOf(of, body) ?? 'null') as unknown

test('body shape: lists a body’s names with types, and nested names by path', () => {
  expect(shapeOf({ first_name: 'Ada', phone: null, address: { city: 'Reno', state: 7 } })).toEqual({
    first_name: 'string',
    phone: 'null',
    address: 'object',
    'address/city': 'string',
    'address/state': 'number',
  })
})

test('body shape: shows an array’s length and its items’ types', () => {
  expect(shapeOf({ patient: true, consent_ids: ['a', 'b', null, 'c'] }, createCase.body)).toEqual({
    patient: 'boolean',
    consent_ids: 'array 4',
    'consent_ids/*': 'string|null',
  })
  expect(shapeOf({ answers: [{ value: 'x' }, { value: [1] }] }, answerCase.body)).toMatchObject({
    answers: 'array 2',
    'answers/*': 'object',
  })
  expect(shapeOf({ consent_ids: [] }, createCase.body)).toEqual({ consent_ids: 'array 0' })
})

test('body shape: only an array’s first hundred items decide its types', () => {
  const of = (...items: unknown[]) => shapeOf({ consent_ids: items }, createCase.body)
  expect(of(7, 'a')).toEqual({ consent_ids: 'array 2', 'consent_ids/*': 'number|string' })
  const texts = (count: number) => Array.from({ length: count }, () => 'a')
  expect(of(...texts(99), 7)).toEqual({
    consent_ids: 'array 100',
    'consent_ids/*': 'string|number',
  })
  expect(of(...texts(100), 7)).toEqual({ consent_ids: 'array 101', 'consent_ids/*': 'string' })
})

test('body shape: is empty for a non-object', () => {
  expect(shapeOf('Ada')).toEqual({})
  expect(shapeOf(7)).toEqual({})
})

test('body shape: counts names the schema doesn’t define, at any depth', () => {
  const body = {
    'Ada Rivera': 1,
    address: { 'ada@example.com': {}, city: 'Reno' },
    first_name: { a: 1 },
  }
  expect(shapeOf(body)).toEqual({
    first_name: 'object',
    address: 'object',
    'address/city': 'string',
    '': '3',
  })
  expect(shapeOf({ reason: 'x' }, cancelCase.body)).toEqual({ reason: 'string' })
})

test('body shape: a name that every object inherits counts as unknown', () => {
  const body = JSON.parse('{"__proto__": 1, "constructor": 2, "toString": 3}') as object
  expect(shapeOf(body)).toEqual({ '': '3' })
})

test('body shape: is null for a read, and for a body that wasn’t read', () => {
  expect(bodyShapeOf(getPatient.body, undefined)).toBeNull()
  expect(bodyShapeOf(createPatient.body, undefined)).toBeNull()
  expect(shapeOf({}, 'none')).toEqual({})
  expect(shapeOf({ a: 1 }, 'none')).toEqual({ '': '1' })
  expect(shapeOf(null)).toEqual({})
})

const marker = 'PrivateMarker 4155550142'

/** Returns the value with a marker in place of every text, number and unknown name. */
function marked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(marked)
  if (typeof value !== 'object' || value === null) return marker
  return Object.fromEntries([
    ...Object.entries(value).map(([name, inner]) => [name, marked(inner)] as const),
    [marker, marker],
  ])
}

test('body shape: contains no value and no unknown name from any operation’s body', () => {
  let shapes = 0
  for (const id of callableIds) {
    for (const example of Object.values(requestExamples(id))) {
      const shape = bodyShapeOf(callable[id].body, marked(example)) ?? ''
      expect([id, /PrivateMarker|4155550142/.test(shape)]).toEqual([id, false])
      expect(shape).toContain('"":"')
      shapes++
    }
  }
  expect(shapes).toBeGreaterThan(25)
})

test('body shape: a hostile body costs no more than reading its names', () => {
  const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`n${at}`, at]))
  expect(shapeOf(wide)).toEqual({ '': '50000' })
  const long = { consent_ids: Array.from({ length: 50_000 }, () => wide) }
  // A hundred items could name five million fields.
  expect(shapeOf(long, createCase.body)).toMatchObject({ consent_ids: 'array 50000' })
})
