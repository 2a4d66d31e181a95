// `bun contract/generate.ts` writes the OpenAPI document that people review. `--check` only
// compares, so the committed file can't differ from the table.

import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { documents } from './derive/documents.ts'

const name = 'generated/openapi.v1.json'
const file = path.join(import.meta.dir, name)

if (import.meta.main) {
  const wanted = documents['openapi.v1.json']()
  if (readFileSync(file, 'utf8') !== wanted) {
    if (process.argv.includes('--check')) {
      console.error(`contract/${name} differs from the table: run \`npm run generate\`.`)
      process.exit(1)
    }
    writeFileSync(file, wanted)
    console.log(`contract/${name} written`)
  }
}
