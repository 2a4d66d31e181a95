// Checks that all of the clients' Python is formatted and passes the linter; `--write` formats it.

import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { model } from '../model.ts'
import { formatPython, lintPython } from './format.ts'
import { writePython } from './python.ts'

const folder = path.resolve(import.meta.dir, '../../python')

if (import.meta.main) {
  writePython(model)
  const isWriting = process.argv.includes('--write')
  const names = [...new Bun.Glob('**/*.py').scanSync({ cwd: folder })].toSorted()
  const faults = names.flatMap(name => {
    const file = path.join(folder, name)
    const text = readFileSync(file, 'utf8')
    const formatted = formatPython(name, text)
    if (isWriting && formatted !== text) writeFileSync(file, formatted)
    const isStale = !isWriting && formatted !== text
    return [
      ...(isStale
        ? [`clients/python/${name} is not formatted: run \`npm run check -- --fix\`.`]
        : []),
      ...lintPython(`clients/python/${name}`, formatted).filter(
        // An example token can't be shortened.
        fault => !(name.includes('/generated/') && fault.includes(' E501 ')),
      ),
    ]
  })
  for (const fault of faults) console.error(fault)
  if (names.length === 0 || faults.length > 0) process.exit(1)
}
