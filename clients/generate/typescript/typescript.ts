// The generated part of the TypeScript library.

import path from 'node:path'
import { format } from 'oxfmt'
import type { Model } from '../model.ts'
import { schemaFiles } from './schemas.ts'

const notice = '// Generated from the contract by clients/generate/generate.ts; do not edit.\n\n'
const folder = 'typescript/src/generated'

/** The generated files as the formatter of the repository writes them, by their path. */
export async function typescriptFiles(model: Model): Promise<Map<string, string>> {
  const options = await Bun.file(path.join(import.meta.dir, '../../../.oxfmtrc.json')).json()
  const { ignorePatterns: _, $schema: __, ...style } = options
  const files = [...schemaFiles(model)]
  return new Map(
    await Promise.all(
      files.map(async ([name, text]): Promise<[string, string]> => {
        const { code, errors } = await format(name, notice + text, style)
        if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message}\n${text}`)
        return [`${folder}/${name}`, code]
      }),
    ),
  )
}
