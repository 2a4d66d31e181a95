// Page URLs and positions, computed from the table.
import { expect, test } from 'bun:test'
import { openTable } from './table.ts'

const table = openTable({
  start: { method: 'GET', path: '/{group}', title: 'Start', who: 'person' },
  things: { method: 'GET', path: '/{group}/things', title: 'Things', group: 'Main' },
  thing: { method: 'GET', path: '/{group}/things/{id}', title: 'Thing' },
  rename: {
    method: 'POST',
    path: '/{group}/things/{id}/rename',
    title: 'Rename',
    page: '/{group}/things/{id}',
  },
  part: { method: 'GET', path: '/{group}/parts/{id}', title: 'Part', parent: 'thing' },
})

test('a page is below the pages whose paths are prefixes of its own, or below the parent in its row', () => {
  expect(table.trailOf('start')).toEqual(['start'])
  expect(table.trailOf('things')).toEqual(['things'])
  expect(table.trailOf('rename')).toEqual(['things', 'thing'])
  expect(table.trailOf('part')).toEqual(['things', 'thing', 'part'])
})

test('a URL has its encoded IDs, and a query without undefined values', () => {
  expect(table.pathOf('rename', { group: 'ours', id: '7' })).toBe('/ours/things/7/rename')
  const names = { group: 'ours', id: 'a/b' }
  expect(table.pathOf('thing', names, { q: 'x y', none: undefined })).toBe(
    '/ours/things/a%2Fb?q=x+y',
  )
})
