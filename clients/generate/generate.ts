// Writes the contract-derived parts of the TypeScript library, which people review; `--check` only
// compares, so a committed file can't differ from them. Packing writes the other clients' files.

import { model } from './model.ts'
import { folder, typescriptFiles } from './typescript/typescript.ts'
import { changes, write } from './write.ts'

if (import.meta.main) {
  const wanted = await typescriptFiles(model)
  if (process.argv.includes('--check')) {
    const { written, removed } = changes(wanted, folder)
    for (const name of [...written.map(([one]) => one), ...removed]) {
      console.error(`clients/${name} differs from the contract: run \`npm run generate\`.`)
      process.exitCode = 1
    }
  } else {
    for (const name of write(wanted, folder)) console.log(`clients/${name} written`)
  }
}
