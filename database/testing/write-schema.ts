// Writes database/schema.sql from the test database, which it starts if needed.
import { writeFileSync } from 'node:fs'
import { freshSchema, schemaFile } from './schema.ts'

writeFileSync(schemaFile, await freshSchema())
