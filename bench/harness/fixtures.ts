// Fixtures of the tests on the database of a benchmark.
import { type Fixtures, openFixtures } from '#clinical/testing/fixtures.ts'
import type { BenchEnvironment } from './environment.ts'

/** Prepare the rows that a benchmark needs, for the tenants of its gateway. */
export function fixturesIn({ url, urls, files, pepper }: BenchEnvironment): Promise<Fixtures> {
  const database = { url, urls, close: async () => undefined }
  return openFixtures({ reuse: { database, folder: files, pepper } })
}
