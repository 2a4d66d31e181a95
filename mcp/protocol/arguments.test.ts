import { describe, expect, test } from 'bun:test'
import { Type } from 'typebox'
import { readsOnly } from '#contract/mcp/content-tools.ts'
import type { ToolDefinition } from '#contract/mcp/tool.ts'
import { closed, text, whole } from '#contract/shapes.ts'
import { argumentReader } from './arguments.ts'

const definition: ToolDefinition = {
  name: 'try_it',
  title: 'Try it',
  description: 'Tries it.',
  input: closed({
    name: text(2, 5),
    limit: Type.Optional(whole(1, 9, { default: 3 })),
    email: Type.Optional(Type.String({ format: 'email' })),
    code: Type.Optional(Type.String({ pattern: '^[a-z]+$' })),
    agreed: Type.Optional(Type.Unsafe<true>({ type: 'boolean', const: true })),
  }),
  output: closed({}),
  hints: readsOnly,
}
const read = argumentReader(definition)

type ToolRefusal = { code: string; hint: string; errors: { pointer: string; code: string }[] }

function refusedFor(given: unknown): ToolRefusal {
  const { refusal } = read(given)
  expect(refusal).toMatchObject({ isError: true })
  expect(refusal).not.toHaveProperty('structuredContent')
  return JSON.parse(refusal?.content[0]?.text ?? '')
}

const faults = (given: unknown) =>
  refusedFor(given).errors.map(({ pointer, code }) => `${pointer} ${code}`)

test('mcp: valid arguments are accepted, and defaults are filled in', () => {
  expect(read({ name: 'Ada' }).input).toEqual({ name: 'Ada', limit: 3 })
  expect(read({ name: 'Ada', limit: 9, agreed: true }).input).toMatchObject({ limit: 9 })
})

describe('mcp: argument errors', () => {
  const cases: [string, unknown][] = [
    ['#/name required', {}],
    ['#/name too_short', { name: 'A' }],
    ['#/name too_long', { name: 'Adaada' }],
    ['#/name wrong_type', { name: 1 }],
    ['#/name required', { name: null }],
    ['#/name invalid_format', { name: 'a\0b' }],
    ['#/name invalid_format', { name: 'a\ud800' }],
    ['#/limit too_small', { name: 'Ada', limit: 0 }],
    ['#/limit too_large', { name: 'Ada', limit: 10 }],
    ['#/limit wrong_type', { name: 'Ada', limit: '3' }],
    ['#/limit wrong_type', { name: 'Ada', limit: 1.5 }],
    ['#/email invalid_format', { name: 'Ada', email: 'ada' }],
    ['#/code invalid_format', { name: 'Ada', code: 'A' }],
    ['#/agreed invalid', { name: 'Ada', agreed: false }],
    ['#/other unknown_field', { name: 'Ada', other: 1 }],
    ['#/__proto__ unknown_field', JSON.parse('{"name":"Ada","__proto__":1}')],
    ['#/constructor unknown_field', { name: 'Ada', constructor: 1 }],
    ['#/a~1b~0c%20d unknown_field', { name: 'Ada', 'a/b~c d': 1 }],
    ['# wrong_type', [1]],
    ['# wrong_type', 'text'],
    ['# wrong_type', null],
  ]
  for (const [expected, given] of cases) {
    test(`${expected}: ${JSON.stringify(given)}`, () => expect(faults(given)).toEqual([expected]))
  }

  test('reports every error in one response', () => {
    expect(faults({ nam: 'Ada', limit: 0 })).toEqual([
      '#/nam unknown_field',
      '#/name required',
      '#/limit too_small',
    ])
  })

  test('reports at most twenty errors and truncates long names', () => {
    const many = Object.fromEntries(Array.from({ length: 99 }, (_, at) => [`f${at}`, 1]))
    expect(refusedFor(many).errors).toHaveLength(20)
    const [fault] = refusedFor({ name: 'Ada', ['n'.repeat(5000)]: 1 }).errors
    expect(fault?.pointer).toBe(`#/${'n'.repeat(64)}%E2%80%A6`)
  })
})

test('mcp: an unknown argument is refused with the nearest name and all valid names', () => {
  const { hint, errors } = refusedFor({ name: 'Ada', limt: 2 })
  expect(errors).toMatchObject([
    { message: 'limt must not be present: this tool has no such argument. Did you mean limit?' },
  ])
  expect(hint).toEndWith('It takes name, limit, email, code, agreed.')
})

test('mcp: a refusal never repeats a value from the caller', () => {
  const secret = 'a-value-of-a-person'
  expect(JSON.stringify(read({ name: secret, email: secret, code: secret }))).not.toContain(secret)
})
