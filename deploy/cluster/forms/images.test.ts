// What goes into an image that is built from a checkout in use.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'

const linesOf = (name: string) =>
  readFileSync(path.join(import.meta.dir, '../../..', name), 'utf8')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))

test('image: it has no history, and nothing that Git ignores, such as the secrets of .data', () => {
  const ignored = linesOf('.gitignore').map(line => `**/${line.replace(/\/$/, '')}`)
  expect(ignored).toContain('**/.data')
  expect(linesOf('.dockerignore').toSorted()).toEqual(['.git', ...ignored].toSorted())
})
