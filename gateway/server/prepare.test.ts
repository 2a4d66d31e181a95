import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { listKeys } from '#auth/integrations.ts'
import { revokeKey } from '#auth/testing/administration.ts'
import { openPool } from '#database/pool.ts'
import { type TestDatabase, testDatabase } from '#database/testing/database.ts'
import { readConfig } from '../settings/config.ts'
import { openSecrets } from '../settings/secrets.ts'
import { ensureAccess } from './prepare.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'prepare-'))
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

const prepare = () =>
  ensureAccess({
    config: readConfig({ DATA_DIR: folder }),
    databaseUrl: database.url,
    secrets: openSecrets(folder),
  })

test('a start that ended before the platform was ready changes no password and no key', async () => {
  const first = await prepare()
  expect(first.clinic?.staff.clinician.password).toHaveLength(20)
  expect(await prepare()).toEqual(first)
})

test('a new sandbox key changes nobody’s password', async () => {
  const { key, ...before } = await prepare()
  const owner = openPool({ url: database.url, size: 1, name: 'test' })
  await owner.use(async connection => {
    const keys = await listKeys(connection)
    for (const { id, mode } of keys) if (mode === 'test') await revokeKey(connection, id)
  })
  await owner.close()
  const { key: newKey, ...after } = await prepare()
  expect(newKey).not.toBe(key)
  expect(after).toEqual(before)
})
