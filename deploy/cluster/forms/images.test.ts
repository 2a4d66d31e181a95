// What goes into an image that is built from a checkout in use, and as whom its programs run.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { account } from './containers.ts'

const root = path.join(import.meta.dir, '../../..')
const textOf = (name: string) => readFileSync(path.join(root, name), 'utf8')
const linesOf = (name: string) =>
  textOf(name)
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))

test('image: it has no history, and nothing that Git ignores, such as the secrets of .data', () => {
  const ignored = linesOf('.gitignore').map(line => `**/${line.replace(/\/$/, '')}`)
  expect(ignored).toContain('**/.data')
  expect(linesOf('.dockerignore').toSorted()).toEqual(['.git', ...ignored].toSorted())
})

test('image: its account is that of the containers, and the one of PostgreSQL has a name', () => {
  expect(textOf('deploy/cluster/Containerfile')).toContain(`useradd --uid ${account} `)
  const postgres = textOf('deploy/cluster/Containerfile.postgres')
  expect(postgres).toContain(`groupmod --gid ${account} postgres`)
  expect(postgres).toContain(`usermod --uid ${account} postgres`)
  expect(postgres).toContain(`USER ${account}:${account}\n`)
})
