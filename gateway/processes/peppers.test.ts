import { expect, test } from 'bun:test'
import { SQL } from 'bun'
import { testDatabase } from '#database/testing/database.ts'
import { until } from '#http/testing/until.ts'
import { notePeppers } from './peppers.ts'

test('peppers: they are noted although the connection is lost meanwhile', async () => {
  const database = await testDatabase()
  const [owner, holder] = [1, 2].map(() => new SQL({ url: database.url, max: 1 })) as [SQL, SQL]
  await holder`begin`
  await holder`lock table public.pepper_digests in access exclusive mode`
  const noting = notePeppers(database.url, ['a pepper of this test'])
  await until(async () => {
    const ended = await owner`
      select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'peppers' and state = 'active'`
    return ended.length > 0
  })
  await holder`commit`
  await noting
  expect(await owner`select digest from public.pepper_digests`).toHaveLength(1)
  await Promise.all([owner.close(), holder.close()])
  await database.close()
})
