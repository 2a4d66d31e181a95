// The types that the Python library promises, as pyright and mypy see them, and its packed files.

import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { packPython } from './pack.ts'
import { examples, found, type Ran, run, useInstalls } from './testing/installed.ts'

const here = import.meta.dir
const install = useInstalls()

/** Type-checks the installed library, a program that uses it, and the examples. */
async function checkTypes(python: string, folder: string): Promise<Ran[]> {
  const inside = await install(python)
  const programs = examples().map(([name, text]) => {
    const file = path.join(folder, `${name.replaceAll(/\W/g, '_')}.py`)
    writeFileSync(file, text)
    return file
  })
  const checked = [path.join(here, 'tests', 'typed_program.py'), ...programs]
  const pyright = path.resolve(here, '../../node_modules/.bin/pyright')
  const chosen = ['--pythonpath', inside, '--pythonversion', '3.9']
  const config = path.join(folder, 'mypy.ini')
  writeFileSync(config, '[mypy]\n')
  const mypy = ['mypy', '--strict', '--config-file', config, '--python-executable', inside]
  const checkers = [
    [pyright, ...chosen, ...checked, path.join(here, 'src', 'svc')],
    ...(Bun.which('mypy') === null
      ? []
      : [
          [...mypy, '--cache-dir', folder, ...programs, checked[0] ?? ''],
          [...mypy, '--cache-dir', folder, '-p', 'svc'],
        ]),
  ]
  const ran: Ran[] = []
  for (const command of checkers) ran.push(await run(command))
  const complete = [pyright, ...chosen.slice(0, 2), '--verifytypes', 'svc', '--ignoreexternal']
  const search = `${path.dirname(inside)}:${process.env['PATH']}`
  ran.push(await run(complete, { VIRTUAL_ENV: path.dirname(path.dirname(inside)), PATH: search }))
  return ran
}

test.skipIf(found === null)(
  'types: pyright, and mypy if installed, find no error in the library or its examples, and every public type is known',
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'types-'))
    try {
      const ran = await checkTypes(found ?? '', folder)
      if (Bun.which('mypy') === null) console.log('There is no mypy here: only pyright has run.')
      expect(ran.length).toBeGreaterThan(0)
      for (const { code, text } of ran) expect(code, text).toBe(0)
      expect(ran.at(-1)?.text).toContain('Type completeness score: 100%')
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
  300_000,
)

test.skipIf(found === null)('pack: the same sources produce the same bytes', () => {
  const folders = ['one', 'other'].map(() => mkdtempSync(path.join(tmpdir(), 'packed-')))
  const [one, other] = folders.map(folder =>
    packPython(found ?? '', folder).map(file => Bun.hash(readFileSync(file))),
  )
  for (const folder of folders) rmSync(folder, { recursive: true })
  expect(one?.length).toBe(2)
  expect(one).toEqual(other)
})
