import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { freshSchema, schemaFile } from './testing/schema.ts'

test('schema.sql: is the result of the migrations, as `npm run generate` writes it', async () => {
  const fresh = await freshSchema()
  expect(readFileSync(schemaFile, 'utf8').split('\n')).toEqual(fresh.split('\n'))
  for (const what of ['create table cases (', 'create policy tenant on cases', ' -- only live'])
    expect(fresh).toContain(what)
})
