// How often the jobs of files and exports run, and what the log says of a run.

import { expect, test } from 'bun:test'
import { utimesSync } from 'node:fs'
import path from 'node:path'
import { modes } from '#contract/operation.ts'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { requestExport } from '../testing/exports.ts'
import { attachFile, photo, reserveFile } from '../testing/files.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { uploadKey } from '../storage/storage.ts'
import { fileJobs } from './jobs.ts'

const fixtures = useFixtures()
const jobsOf = () => {
  const { files, base } = fixtures.context
  return fileJobs({ files, base, scanner: null })
}

test('jobs of files: each runs at its interval, and exports also after a write', () => {
  expect(jobsOf().map(({ name, everySeconds, onWrite }) => [name, everySeconds, onWrite])).toEqual([
    ['exports', 2, true],
    ['files-scanned', 2, undefined],
    ['files-expired', 60, undefined],
    ['files-discarded', 5, undefined],
    ['files-orphans', 600, undefined],
  ])
})

/** What each run reports for the log. */
async function reports() {
  const all: unknown[] = []
  for (const { name, run } of jobsOf()) {
    all.push([name, await run(fixtures.workerContext, modes, () => null)])
  }
  return all
}

/** An object of storage that a process left two hours ago. */
async function leaveOrphan() {
  const { storage } = fixtures.context.files
  const object = '0'.repeat(32)
  const spool = await storage.spool()
  await spool.write(photo)
  await storage.store(uploadKey('live', object), await spool.end())
  const at = new Date(Date.now() - 3 * 3_600_000)
  utimesSync(path.join(fixtures.folder, 'live', 'u', '00', object), at, at)
}

test('jobs of files: a run reports how much it did, and nothing when there was nothing to do', async () => {
  const idle = ['exports', 'files-scanned', 'files-expired', 'files-discarded', 'files-orphans']
  expect(await reports()).toEqual(idle.map(name => [name, undefined]))
  await requestExport(fixtures)
  // Confirming it discards the object that was uploaded.
  await attachFile(fixtures, { as: fixtures.ada.live })
  const { id } = await reserveFile(fixtures)
  const expired = sql`update test.files set expires_at = now() - interval '1 ms' where id = ${id}`
  await queryAsOwner(fixtures, expired)
  await leaveOrphan()
  expect(await reports()).toEqual([
    ['exports', { completed: 1 }],
    ['files-scanned', { files: 1 }],
    ['files-expired', { rows: 1 }],
    ['files-discarded', { objects: 1 }],
    ['files-orphans', { objects: 1 }],
  ])
  expect(await reports()).toEqual(idle.map(name => [name, undefined]))
})
