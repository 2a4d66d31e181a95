import { expect, test } from 'bun:test'
import path from 'node:path'
import { isUnused } from './prune.ts'

const root = path.dirname(import.meta.dir)
const programs = [
  'gateway/server/main.ts',
  'gateway/commands/worker.ts',
  'gateway/commands/admin.ts',
  'clinical/viewer/process.ts',
]

test('image: no process loads a package that was removed', async () => {
  const loaded = new Set<string>()
  await Bun.build({
    entrypoints: programs.map(file => path.join(root, file)),
    target: 'bun',
    plugins: [
      {
        name: 'packages',
        setup(build) {
          build.onResolve({ filter: /^#/ }, ({ path: name }) => ({
            path: path.join(root, name.slice(1)),
          }))
          build.onResolve({ filter: /^[^.#/]/ }, ({ path: name }) => {
            loaded.add(/^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name)
            return { path: name, external: true }
          })
        },
      },
    ],
  })
  expect(loaded.size).toBeGreaterThan(30)
  expect([...loaded].filter(isUnused)).toEqual([])
}, 60_000)
