import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { listKeys } from '#auth/integrations.ts'
import { revokeKey } from '#auth/testing/administration.ts'
import { type ConnectionPool, openPool } from '#database/pool.ts'
import { type TestDatabase, testDatabase } from '#database/testing/database.ts'
import { storedPerson } from '../local/stored.ts'
import { ensureSandbox } from './sandbox.ts'

let database: TestDatabase
let owner: ConnectionPool
const folder = mkdtempSync(path.join(tmpdir(), 'sandbox-'))
const file = path.join(folder, 'dev.json')
beforeAll(async () => {
  database = await testDatabase()
  owner = openPool({ url: database.url, size: 1, name: 'test' })
})
afterAll(async () => {
  await owner.close()
  await database.close()
  rmSync(folder, { recursive: true })
})

const open = () => ensureSandbox(database.url, ['a pepper'], folder)

test('sandbox: the first start creates it, and later ones reuse its key', async () => {
  const first = await open()
  expect(first.key).toStartWith('svc_sk_test_')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(first)
  expect(await open()).toEqual(first)
  expect(await owner.use(listKeys)).toHaveLength(1)
})

test('sandbox: a revoked key is replaced, and the integration stays', async () => {
  const before = await open()
  const [key] = await owner.use(listKeys)
  await owner.use(connection => revokeKey(connection, key?.id ?? ''))
  const after = await open()
  expect(after).toMatchObject({
    integration: before.integration,
    organization: before.organization,
  })
  expect(after.key).not.toBe(before.key)
})

test('sandbox: only the key is new if its file is missing, damaged or foreign', async () => {
  const before = await open()
  rmSync(file)
  const { key, ...access } = await open()
  expect(key).not.toBe(before.key)
  writeFileSync(file, '{"key": "svc_sk_test_')
  expect(await open()).toMatchObject(access)
  const other = await ensureSandbox(database.url, ['another pepper'], folder)
  expect(other).toMatchObject(access)
})

test('sandbox: the owner is read from dev.json; a damaged file has no owner', () => {
  const owner = {
    email: 'owner@example.com',
    password: 'a-password_of-twenty',
    totp_secret: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  }
  const text = JSON.stringify({ key: 'svc_sk_test_x', owner }, null, 2)
  writeFileSync(file, text)
  expect(storedPerson(folder, 'owner')).toEqual(owner)
  writeFileSync(file, text.slice(0, -30))
  expect(storedPerson(folder, 'owner')).toBeNull()
  rmSync(file)
  expect(storedPerson(folder, 'owner')).toBeNull()
})
