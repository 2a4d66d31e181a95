// `npm start` installs enough packages to run, and no program loads test-only packages.
import { expect, test } from 'bun:test'
import path from 'node:path'

const root = path.dirname(import.meta.dir)
const manifest = await Bun.file(path.join(root, 'package.json')).json()

/** Programs that run on production installations. */
const programs = [
  'gateway/server/start.ts',
  'gateway/server/main.ts',
  'gateway/commands/worker.ts',
  'gateway/commands/admin.ts',
  'gateway/commands/edge.ts',
  'gateway/commands/preview.ts',
  'clinical/viewer/process.ts',
  'site/build/build.ts',
  'site/build/dev.ts',
  'site/astro.config.ts',
  'site/src/load.ts',
  'content/checks/check.ts',
  'deploy/publish/publish.ts',
  'deploy/preview/site.ts',
  'deploy/preview/branches.ts',
]

/** The packages that a program imports, directly or through our own files. */
async function packagesOf(program: string): Promise<string[]> {
  const found = new Set<string>()
  const { success, logs } = await Bun.build({
    entrypoints: [path.join(root, program)],
    target: 'bun',
    throw: false,
    plugins: [
      {
        name: 'packages are left out',
        setup: build =>
          void build.onResolve({ filter: /^[^.#/]/ }, ({ path: name, kind }) => {
            if (kind === 'entry-point-build') return undefined
            const [scope = '', rest = ''] = name.split('/')
            if (!/^(node|bun)(:|$)/.test(name) && !name.startsWith('bun:'))
              found.add(name.startsWith('@') ? `${scope}/${rest}` : scope)
            return { path: name, external: true }
          }),
      },
    ],
  })
  expect(logs.map(String)).toEqual([])
  expect(success).toBe(true)
  return [...found]
}

test.each(programs)('%s imports only production packages', async program => {
  const packages = await packagesOf(program)
  expect(packages.filter(name => !Object.hasOwn(manifest.dependencies, name))).toEqual([])
})

test('an imported development package is reported', async () => {
  const packages = await packagesOf('clients/typescript/build.ts')
  expect(packages).toContain('rolldown')
  expect(Object.hasOwn(manifest.devDependencies, 'rolldown')).toBe(true)
})
