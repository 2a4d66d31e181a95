// The test fixtures on a benchmark's database.
import { type Fixtures, openFixtures } from '#clinical/testing/fixtures.ts'
import type { BenchEnvironment } from './environment.ts'

/** Creates the rows that a benchmark needs, for its gateway's tenants. */
export function fixturesIn({ url, urls, files, pepper }: BenchEnvironment): Promise<Fixtures> {
  const database = { url, urls, close: async () => undefined }
  return openFixtures({ reuse: { database, folder: files, pepper } })
}
