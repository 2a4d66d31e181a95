import { expect, test } from 'bun:test'
import { isId } from '#contract/ids.ts'
import { newId } from './ids.ts'

test('IDs created in one millisecond strictly increase, even for different nouns', () => {
  const ids = Array.from({ length: 2000 }, (_, at) => newId(at % 2 ? 'key' : 'person'))
  const ordered = ids.map(id => id.slice(-26))
  expect(ordered).toEqual([...new Set(ordered)].sort())
  expect(ids.every((id, at) => isId(at % 2 ? 'key' : 'per', id))).toBe(true)
})
