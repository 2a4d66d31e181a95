// Output derived from content files, and files that a build keeps from the previous one. All builds
// use one copy of the sources, and the first takes the longest.
import { afterAll, beforeAll } from 'bun:test'
import { keepSuite } from './build/keep.suite.ts'
import { day, derivedSuite, prepare, slug } from './derived.suite.ts'
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
keepSuite({ root: () => root, day, removed: slug })
