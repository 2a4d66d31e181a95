// Tests that a locale that isn't installed causes no shell warnings.
import { expect, test } from 'bun:test'
import path from 'node:path'

type Environment = Record<string, string | undefined>
type Locale = { dropMissingLocale(env: Environment): void }
const { dropMissingLocale }: Locale = await import(path.join(import.meta.dir, 'test-locale.mjs'))

const PATH = '/usr/local/bin:/usr/bin:/bin'

test('a locale that isn’t installed is kept only in LANG, and an installed one stays', () => {
  const given: Environment = { PATH, LC_ALL: 'xx_YY.UTF-8', LC_TIME: 'xx_YY.UTF-8', LANG: 'C' }
  dropMissingLocale(given)
  expect(given).toEqual({ PATH, LANG: 'xx_YY.UTF-8' })
  const shell = Bun.spawnSync(['bash', '-c', ':'], { env: given, stderr: 'pipe' })
  expect(shell.stderr.toString()).toBe('')
  const installed: Environment = { PATH, LC_ALL: 'C', LANG: 'C' }
  dropMissingLocale(installed)
  expect(installed).toEqual({ PATH, LC_ALL: 'C', LANG: 'C' })
})
