// Tests that test databases don't disturb tests that are running.
import { expect, test } from 'bun:test'
import { SQL } from 'bun'
import { readMigrations } from '../migrate.ts'
import { givePassword, logsIn } from '../roles.ts'
import { templateOf, testDatabase } from './database.ts'

test('a new template keeps the passwords of roles that tests created', async () => {
  const database = await testDatabase()
  const owner = new SQL(database.url, { max: 1 })
  const role = `kept_role_${process.pid}`
  await owner.unsafe(`create role ${role}`)
  // No other template has this migration.
  const migrations = readMigrations().slice(0, 1)
  for (const one of migrations) one.sha256 = role
  try {
    await givePassword(database.url, role, 'its own')
    await (await testDatabase(migrations)).close()
    const url = new URL(database.url)
    ;[url.username, url.password] = [role, encodeURIComponent('its own')]
    expect(await logsIn(url.href)).toBe(true)
  } finally {
    await owner.unsafe(`drop database if exists ${templateOf(migrations)}`)
    await owner.unsafe(`drop role ${role}`)
    await owner.close()
    await database.close()
  }
})
