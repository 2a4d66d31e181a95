import { expect, test } from 'bun:test'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { testDatabase } from '../testing/database.ts'
import { quickFolder } from '../testing/small-disk.ts'
import { takeBackup } from './backup.ts'
import { createFolder } from './create-folder.ts'

test('backup take: a role that may not copy the files gets an error that names pg_basebackup and the required role', async () => {
  const database = await testDatabase()
  const taken = takeBackup(database.urls.test, '/nowhere')
  await expect(taken).rejects.toThrow(/REPLICATION[^]+pg_basebackup[^]+backup record/)
  await database.close()
})

test('a backup or restore that fails halfway leaves no folder', async () => {
  const home = quickFolder()
  const taken = createFolder(path.join(home, 'today'), async unfinished => {
    await mkdir(unfinished)
    await writeFile(path.join(unfinished, 'PG_VERSION'), '18')
    throw new Error('the disk is full')
  })
  await expect(taken).rejects.toThrow('the disk is full')
  expect(await readdir(home)).toEqual([])
  await rm(home, { recursive: true })
})
