// Query parameters: each may appear at most once and is converted to its schema's type, and unknown
// parameters are refused.

import { describe, expect, test } from 'bun:test'
import { Type } from 'typebox'
import { page } from '#contract/api/answers.ts'
import { closed, moment, oneOf, text } from '#contract/shapes.ts'
import { Reader } from './validate.ts'
import { readQuery } from './query.ts'

const schema = closed({
  ...page('case'),
  state: oneOf(['CA', 'NY']),
  flag: Type.Optional(Type.Boolean({ default: false })),
  since: Type.Optional(moment()),
  external_id: Type.Optional(text(1, 5)),
})

const needed = 'state=CA'
const filled = { state: 'CA', limit: 20, flag: false }

function read(query: string, of: typeof schema | null = schema) {
  const reader = new Reader(Date.parse('2026-11-20T15:04:05Z'))
  const values = readQuery(reader, of ?? undefined, new URLSearchParams(query))
  return { values, faults: reader.faults.map(({ pointer, code }) => `${pointer} ${code}`) }
}

describe('query: accepts', () => {
  const accepted: [string, object][] = [
    ['', {}],
    ['&limit=1', { limit: 1 }],
    ['&limit=100', { limit: 100 }],
    ['&limit=007', { limit: 7 }],
    ['&flag=true', { flag: true }],
    ['&flag=false', { flag: false }],
    ['&since=2026-11-20', { since: '2026-11-20T00:00:00.000Z' }],
    ['&since=2026-11-20T16:04:05%2B01:00', { since: '2026-11-20T15:04:05.000Z' }],
    // Text parameters aren't converted to numbers or booleans.
    ['&external_id=1', { external_id: '1' }],
    ['&external_id=true', { external_id: 'true' }],
    ['&external_id=null', { external_id: 'null' }],
    ['&external_id=%F0%9F%A7%AA', { external_id: '🧪' }],
    ['&external_id=a+b', { external_id: 'a b' }],
    ['&external_id=a%2Bb', { external_id: 'a+b' }],
    ['&external_id=a=b', { external_id: 'a=b' }],
    ['&%65xternal_id=a', { external_id: 'a' }],
    ['&&&', {}],
    [
      '&starting_after=case_01m7wqrwr07q7txy3ntfjc6jem',
      { starting_after: 'case_01m7wqrwr07q7txy3ntfjc6jem' },
    ],
  ]
  for (const [query, values] of accepted) {
    test(`?${needed}${query}`, () => {
      const expected = { values: { ...filled, ...values }, faults: [] }
      // Compares strictly: an omitted parameter isn't a field in the input.
      expect(read(needed + query)).toStrictEqual(expected)
    })
  }

  test('an empty query if the operation has no parameters', () => {
    expect(read('', null)).toEqual({ values: {}, faults: [] })
  })
})

describe('query: refuses', () => {
  const refused: [string, string[]][] = [
    ['limit=0', ['?limit too_small']],
    ['limit=-0', ['?limit too_small']],
    ['limit=-1', ['?limit too_small']],
    ['limit=101', ['?limit too_large']],
    ['limit=999999999999999', ['?limit too_large']],
    ['limit=9999999999999999', ['?limit wrong_type']],
    ['limit=1.0', ['?limit wrong_type']],
    ['limit=1e1', ['?limit wrong_type']],
    ['limit=0x10', ['?limit wrong_type']],
    ['limit=', ['?limit wrong_type']],
    ['limit', ['?limit wrong_type']],
    ['limit=+5', ['?limit wrong_type']],
    ['limit=5%20', ['?limit wrong_type']],
    ['limit=ten', ['?limit wrong_type']],
    ['limit=null', ['?limit wrong_type']],
    ['limit=%EF%BC%95', ['?limit wrong_type']],
    ['flag=TRUE', ['?flag wrong_type']],
    ['flag=1', ['?flag wrong_type']],
    ['flag=', ['?flag wrong_type']],
    ['since=', ['?since invalid_format']],
    ['since=2026-02-30', ['?since invalid_format']],
    // An unescaped plus is decoded as a space.
    ['since=2026-11-20T16:04:05+01:00', ['?since invalid_format']],
    ['external_id=', ['?external_id too_short']],
    ['external_id=abcdef', ['?external_id too_long']],
    ['external_id=%00', ['?external_id invalid_format']],
    ['starting_after=', ['?starting_after invalid_cursor']],
    ['starting_after=evt_01m7wqrwr07q7txy3ntfjc6jem', ['?starting_after invalid_cursor']],
    ['state=ca', ['?state not_in_enum']],
    ['another=1', ['?another unknown_field']],
    ['Limit=1', ['?Limit unknown_field']],
    ['=1', ['? unknown_field']],
    ['limit[]=1', ['?limit%5B%5D unknown_field']],
    ['__proto__=1', ['?__proto__ unknown_field']],
    ['constructor=1', ['?constructor unknown_field']],
    ['a/b~c=1', ['?a%2Fb~c unknown_field']],
    ['%ff=1', ['?%EF%BF%BD unknown_field']],
    ['limit=5&limit=5', ['?limit not_unique']],
    ['limit=5&limit=x&limit=7', ['?limit not_unique', '?limit not_unique']],
    ['another=1&another=2', ['?another unknown_field', '?another not_unique']],
    [
      'limit=x&another=1&flag=y',
      ['?limit wrong_type', '?another unknown_field', '?flag wrong_type'],
    ],
  ]
  for (const [query, faults] of refused) {
    test(`?${query}`, () => {
      const state = query.startsWith('state') ? '' : `${needed}&`
      expect(read(state + query).faults).toEqual(faults)
    })
  }

  test('a missing required parameter, after faults in sent ones', () => {
    expect(read('limit=0').faults).toEqual(['?limit too_small', '?state required'])
  })

  test('every parameter if the operation has none', () => {
    expect(read('limit=5', null).faults).toEqual(['?limit unknown_field'])
  })

  test('a long unknown name, truncated in the pointer', () => {
    expect(read(`${needed}&${'n'.repeat(4000)}=1`).faults).toEqual([
      `?${'n'.repeat(64)}%E2%80%A6 unknown_field`,
    ])
  })
})
