// Writes the TypeScript library's generated sources, for the type checker and for tests of the
// sources. Packing also writes them.

import { model } from './model.ts'
import { writeTypescript } from './typescript/typescript.ts'

if (import.meta.main) await writeTypescript(model)
