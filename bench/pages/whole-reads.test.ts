import { expect, test } from 'bun:test'
import { SQL } from 'bun'
import { testDatabase } from '#database/testing/database.ts'
import { watchWholeReads } from './whole-reads.ts'

test('whole reads: a scan of a large table is listed, even inside a function, but a lookup by key is not', async () => {
  await using database = Object.assign(await testDatabase(), {
    async [Symbol.asyncDispose]() {
      await database.close()
    },
  })
  await using owner = new SQL(database.url, { max: 1 })
  await owner.unsafe(`
    create table large (id int primary key, n int);
    insert into large select i, i from generate_series(1, 1000) i;
    create function large_count() returns bigint language sql as 'select count(*) from large where n > 990';
    analyze large`)
  const watched = await watchWholeReads(database.url, 1000)
  const during = (statement: string) =>
    watched.during(async () => {
      await using session = new SQL(database.url, { max: 1 })
      await session.unsafe(statement)
    })
  const scan = expect.stringContaining('Seq Scan of large reads 1000 of 1000 rows')
  expect(await during('select count(*) from large')).toEqual([scan])
  expect(await during('select large_count()')).toEqual([scan])
  expect(await during('select n from large where id = 7')).toEqual([])
  await watched.close()
  expect(await during('select count(*) from large')).toEqual([])
})
