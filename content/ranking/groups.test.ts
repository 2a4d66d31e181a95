import { expect, test } from 'bun:test'
import { groupLinks } from './groups.ts'

const link = (url: string) => ({ url })

test('groups: the best link’s kind comes first, and each kind’s links are limited', () => {
  const urls = [
    '/problems/gone',
    '/docs/files',
    '/docs/api/get-file',
    '/docs',
    '/docs/api',
    '/blog/a',
  ]
  const groups = groupLinks([...urls, '/docs/visits', '/compare/b', '/pricing'].map(link), 2)
  const names = groups.map(({ name, links }) => [name, ...links.map(({ url }) => url)])
  expect(names).toEqual([
    ['Errors', '/problems/gone'],
    ['Guides', '/docs/files', '/docs'],
    ['API reference', '/docs/api/get-file', '/docs/api'],
    ['Articles', '/blog/a', '/compare/b'],
    ['Pages', '/pricing'],
  ])
})
