import { describe, expect, test } from 'bun:test'
import { newId } from '#auth/ids.ts'
import { foundIdOf, termsOf } from './search-terms.ts'

const today = '2026-11-29'
const terms = (text: string) => termsOf(text, today)

describe('a date of birth', () => {
  test.each([
    'Maria 1979-06-02',
    'Maria 06/02/1979',
    'Maria 6/2/1979',
    '6-2-1979 Maria',
    'Maria 06.02.1979',
    'Maria 06021979',
    'Maria 19790602',
    'Maria June 2, 1979',
    'Maria Jun 2 1979',
    'Maria 2nd june 1979',
  ])('%s', text => {
    expect(terms(text)).toMatchObject({ name: 'Maria', born: ['1979-06-02'], digits: null })
  })

  test('with a two-digit year matches every century that isn’t in the future', () => {
    expect(terms('6/2/79').born).toEqual(['1979-06-02'])
    expect(terms('6/2/12').born).toEqual(['1912-06-02', '2012-06-02'])
  })

  test('a date that doesn’t exist is ignored', () => {
    expect(terms('02/30/1979').born).toEqual([])
    expect(terms('13/13/1979').born).toEqual([])
  })
})

test.each([
  ['(503) 555-0142', '5035550142'],
  ['503-555-0142', '5035550142'],
  ['+1 503 555 0142', '5035550142'],
  ['15035550142', '5035550142'],
  ['555-0142', '5550142'],
  ['+44 20 7946 0958', '442079460958'],
])('a phone: %s', (text, digits) => {
  expect(terms(text)).toMatchObject({ digits, name: '', born: [] })
})

test('a name can come with an email, a phone and a date of birth', () => {
  expect(terms('  Lee ann@example.com 503-555-0142 6/2/1979 ')).toMatchObject({
    name: 'Lee',
    email: 'ann@example.com',
    digits: '5035550142',
    born: ['1979-06-02'],
  })
})

test('any text without control characters may be an integration’s external ID', () => {
  expect(terms('MRN-\u00014711').externalId).toBe('MRN- 4711')
  expect(terms(' \n ').externalId).toBeNull()
})

test('an ID is recognized with its resource type', () => {
  for (const type of ['patient', 'case', 'prescription', 'order', 'visit'] as const) {
    const id = newId(type)
    expect(foundIdOf(` ${id.toUpperCase()} `)).toEqual({ type, id })
  }
  expect(foundIdOf(newId('file'))).toBeNull()
  expect(foundIdOf('pat_1')).toBeNull()
})
