// The generated part of the TypeScript library.

import path from 'node:path'
import { format } from 'oxfmt'
import type { Model } from '../model.ts'
import manifest from '../../typescript/manifest.json' with { type: 'json' }
import { constantsFile } from './constants.ts'
import { exampleOf } from './docs.ts'
import { errorFile } from './errors.ts'
import { resourceFiles } from './resources.ts'
import { sandboxFile, timeZonesFile } from './sandbox.ts'
import { schemaFiles } from './schemas.ts'
import { write } from '../write.ts'

const notice = '// Generated from the contract by clients/generate/generate.ts; do not edit.\n\n'
const folder = 'typescript/src/generated'

const {
  ignorePatterns: _,
  $schema: __,
  ...style
} = await Bun.file(path.join(import.meta.dir, '../../../.oxfmtrc.json')).json()

/** Formats a text like the repository's formatter. */
async function formatted(name: string, text: string, options: object = {}): Promise<string> {
  const { code, errors } = await format(name, text, { ...style, ...options })
  if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message}\n${errors[0]?.codeframe}`)
  return code
}

/** Each operation's example, for a comment. */
async function examplesOf({ operations, slug }: Model): Promise<Map<string, string>> {
  const written = operations.map(async (operation): Promise<[string, string]> => [
    operation.id,
    await formatted('example.mts', exampleOf(operation, slug), { printWidth: 95 }),
  ])
  return new Map(await Promise.all(written))
}

/** Writes the library's generated part, which isn't committed: packing and checking call this. */
export const writeTypescript = async (model: Model) => write(await filesOf(model), folder)

/** The generated files, by path. */
async function filesOf(model: Model): Promise<Map<string, string>> {
  const files: [name: string, text: string][] = [
    ['contract.ts', constantsFile(model, manifest.version)],
    ['errors.ts', errorFile(model)],
    ['sandbox.ts', sandboxFile(model)],
    ['time-zones.ts', timeZonesFile(model)],
    ...schemaFiles(model),
    ...resourceFiles(model, await examplesOf(model)),
  ]
  const written = files.map(async ([name, text]): Promise<[string, string]> => [
    `${folder}/${name}`,
    await formatted(name, notice + text),
  ])
  return new Map(await Promise.all(written))
}
