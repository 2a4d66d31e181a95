import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readJudged } from './judged.ts'

const half = (name: string) =>
  readJudged(readFileSync(join(import.meta.dir, 'judged', `${name}.tsv`), 'utf8'), () => true)
const firstByte = (question: string) =>
  new Bun.CryptoHasher('sha256').update(question).digest()[0] ?? 0

test('judged questions: a question’s digest decides whether it is held out', () => {
  const [heldOut, development] = [half('held-out'), half('development')]
  expect(heldOut.length).toBeGreaterThan(100)
  for (const { question } of heldOut)
    expect([question, firstByte(question) % 2]).toEqual([question, 1])
  const known = new Set(development.map(({ question }) => question))
  for (const { question } of half('earlier')) expect(known.has(question)).toBe(false)
  expect(known.size).toBe(development.length)
  expect(heldOut.filter(({ question }) => known.has(question))).toEqual([])
})

test('judged questions: each is graded, and each emergency has one best page', () => {
  for (const { question, grades, isEmergency } of [
    'independent',
    'held-out',
    'earlier',
    'development',
  ].flatMap(half)) {
    const best = [...grades.values()].filter(grade => grade === 2)
    expect([question, [...grades.values()].every(grade => grade === 1 || grade === 2)]).toEqual([
      question,
      true,
    ])
    if (isEmergency) expect([question, best.length]).toEqual([question, 1])
  }
})
