import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { freshSchema, schemaFile } from './testing/schema.ts'

test('schema.sql: equals the schema that `npm run generate` writes from the migrations', async () => {
  const fresh = await freshSchema()
  expect(readFileSync(schemaFile, 'utf8').split('\n')).toEqual(fresh.split('\n'))
  for (const what of ['create table cases (', 'create policy tenant on cases', ' -- only live'])
    expect(fresh).toContain(what)
})
