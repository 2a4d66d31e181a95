import { expect, test } from 'bun:test'
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { makers } from './kept.ts'
import { hashSources } from './sources.ts'

const root = join(import.meta.dir, '..')

function filesOf(path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map(name => join(path, name))
}

/** Files of the house that a file runs; a type is gone before it does. */
async function importsOf(path: string): Promise<string[]> {
  const code = await Bun.file(join(root, path)).text()
  return new Bun.Transpiler({ loader: 'ts' })
    .scanImports(code)
    .filter(({ path: name }) => /^[.#]/.test(name))
    .map(({ path: name }) =>
      relative(
        root,
        name.startsWith('#') ? join(root, name.slice(1)) : join(root, dirname(path), name),
      ),
    )
}

test('what is kept is named for every file that makes it', async () => {
  for (const [maker, paths] of Object.entries(makers)) {
    const files = paths.flatMap(filesOf)
    const imported = (await Promise.all(files.map(importsOf))).flat()
    expect({ maker, unnamed: imported.filter(path => !files.includes(path)) }).toEqual({
      maker,
      unnamed: [],
    })
  }
})

test('pages are named for all code that makes them, and for no words', async () => {
  const copy = mkdtempSync(join(tmpdir(), 'sources-'))
  for (const room of [
    'content',
    'contract',
    'site/src',
    'site/kept.ts',
    'CHANGELOG.md',
    'package.json',
  ])
    cpSync(join(root, room), join(copy, room), { recursive: true })
  const change = async (path: string) => {
    const [file, before] = [Bun.file(join(copy, path)), await hashSources(copy)]
    await Bun.write(file, `${await file.text()}\n`)
    const after = await hashSources(copy)
    return { all: before.all !== after.all, code: before.code !== after.code }
  }
  for (const path of ['content/home.yaml', 'CHANGELOG.md'])
    expect({ path, ...(await change(path)) }).toEqual({ path, all: true, code: false })
  const code = [
    'content/site.config.ts',
    'site/src/layouts/Page.astro',
    'contract/content.ts',
    'site/kept.ts',
  ]
  for (const path of code)
    expect({ path, ...(await change(path)) }).toEqual({ path, all: true, code: true })
  rmSync(copy, { recursive: true })
})
