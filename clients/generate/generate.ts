// Writes the files of the clients that follow from the contract; `--check` only compares, so that a
// committed file cannot differ from it.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { cliFiles } from './cli/cli.ts'
import { model } from './model.ts'
import { pythonFiles } from './python/python.ts'
import { typescriptFiles } from './typescript/typescript.ts'

/** Every generated file: its path inside clients/, and its text. */
const generated = async () =>
  new Map([...(await typescriptFiles(model)), ...pythonFiles(model), ...cliFiles(model)])

const folder = path.dirname(import.meta.dir)
const textAt = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : null)

/** Files that an earlier contract had and this one has not. */
function leftOver(wanted: ReadonlyMap<string, string>): string[] {
  const found = [...new Bun.Glob('*/**/generated/**/*.*').scanSync({ cwd: folder })]
  return found.filter(name => !/node_modules|^dist\//.test(name) && !wanted.has(name))
}

if (import.meta.main) {
  const isCheck = process.argv.includes('--check')
  const wanted = await generated()
  const faults: string[] = []
  for (const [name, text] of wanted) {
    const file = path.join(folder, name)
    if (textAt(file) === text) continue
    faults.push(`clients/${name} differs from the contract`)
    if (isCheck) continue
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
    console.log(`clients/${name} written`)
  }
  faults.push(...leftOver(wanted).map(name => `clients/${name} is generated no more: delete it`))
  if (isCheck && faults.length > 0) {
    console.error(`${faults.join('\n')}\nRun \`bun run generate\`.`)
    process.exit(1)
  }
}
