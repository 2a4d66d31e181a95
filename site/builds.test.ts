// Output derived from content files. All builds use one copy of the sources; the first build takes
// longest.
import { afterAll, beforeAll } from 'bun:test'
import { derivedSuite, prepare } from './derived.suite.ts'
import { buildCopy, copySources, removeCopy } from './testing/site-copy.ts'

let root = ''

beforeAll(async () => {
  root = await copySources()
  await prepare(root)
  const { code, output } = await buildCopy(root)
  if (code !== 0) throw new Error(output)
}, 400_000)

afterAll(() => removeCopy(root))

derivedSuite()
