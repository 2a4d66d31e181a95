import { expect, test } from 'bun:test'
import { nothing, sql } from './sql.ts'

test('sql: numbers parameters and inserts nested statements in text order', () => {
  const filter = sql`and name = ${'Ada'}`
  const statement = sql`select ${1} from t where id = ${'x'} ${filter} limit ${20}`
  expect(statement.text).toBe('select $1 from t where id = $2 and name = $3 limit $4')
  expect(statement.values).toEqual([1, 'x', 'Ada', 20])
})

test('sql: a value is never part of the text', () => {
  const statement = sql`select ${"'; drop table patients; --"}`
  expect(statement.text).toBe('select $1')
  expect(statement.values).toEqual(["'; drop table patients; --"])
})

test('sql: a statement and a value in the same place produce different texts', () => {
  const one = (part: string | ReturnType<typeof sql>) => sql`a ${part} b ${1}`
  expect(one('v').text).toBe('a $1 b $2')
  expect(one(sql`c ${2}`).text).toBe('a c $1 b $2')
  expect(one('w').text).toBe('a $1 b $2')
  expect(one(nothing).text).toBe('a  b $1')
})
