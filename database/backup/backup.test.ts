import { expect, test } from 'bun:test'
import { testDatabase } from '../testing/database.ts'
import { takeBackup } from './backup.ts'

test('backup take: a role that may not copy the files gets an error that names pg_basebackup and the required role', async () => {
  const database = await testDatabase()
  const taken = takeBackup(database.urls.test, '/nowhere')
  await expect(taken).rejects.toThrow(/REPLICATION[^]+pg_basebackup[^]+backup record/)
  await database.close()
})
