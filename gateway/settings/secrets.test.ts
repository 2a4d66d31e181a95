import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openSecrets } from './secrets.ts'

const home = mkdtempSync(path.join(tmpdir(), 'secrets-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

test('secrets: generated once, kept across restarts, and readable only by the owner', () => {
  const first = openSecrets(path.join(home, 'data'))
  const pepper = first('keyPepper')
  expect(pepper.length).toBeGreaterThanOrEqual(43)
  expect(first('databasePassword')).not.toBe(pepper)
  expect(openSecrets(path.join(home, 'data'))('keyPepper')).toBe(pepper)
  expect(statSync(path.join(home, 'data', 'secrets.json')).mode & 0o777).toBe(0o600)
})
