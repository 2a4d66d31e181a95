// Runs the benchmarks' short forms and checks their counts. Runs every benchmark if FAULT_ROUNDS is
// set, as in the nightly run, and otherwise only two that together use most of `harness/`. Times
// aren't checked, because times are meaningless on a busy machine.
import { expect, test } from 'bun:test'
import { withCluster } from './harness/environment.ts'
import { figuresOf, tableInMarkdown } from './report/figures.ts'
import { shortRun } from './harness/options.ts'
import { interleave, median, percentile, rowOf } from './harness/rounds.ts'
import { atLeast, atMost } from './targets.ts'
import { targetOf } from './targets.ts'
import { benches } from './run.ts'

const often = new Set(['create-patient', 'static-page'])
const isRare = (name: string) => !often.has(name) && process.env['FAULT_ROUNDS'] === undefined

for (const [name, bench] of Object.entries(benches)) {
  test.skipIf(isRare(name))(
    `bench ${name}: the short form’s counts are correct`,
    async () => {
      const result = await withCluster(shortRun, cluster => bench(shortRun, cluster))
      expect(result.rows.length).toBeGreaterThan(0)
      expect(result.proofs.length).toBeGreaterThan(0)
      const ids = figuresOf(name, result).map(({ id }) => id)
      expect(ids).toEqual([...new Set(ids)])
      for (const { what, expected, found } of result.proofs) {
        expect({ what, count: found }).toEqual({ what, count: expected })
        expect({
          what,
          isEmpty: expected === 0 && !/sorts|rows written|that differ/.test(what),
        }).toEqual({
          what,
          isEmpty: false,
        })
      }
    },
    120_000,
  )
}

const row = (ours: number[], rounds: number[], target = atLeast(0.5)) =>
  rowOf({ job: 'a job', unit: '/s', ours, peer: { name: 'a peer', rounds }, target })

test('bench: ratios are computed within a round, and the verdict uses their median', () => {
  const { ratio, verdict } = row([60, 30, 90], [100, 50, 100])
  expect(ratio).toEqual({ median: 0.6, min: 0.6, max: 0.9 })
  expect(verdict).toBe('met')
})

test('bench: a verdict requires two sides that are separated in every round', () => {
  expect(row([60, 62, 64], [100, 100, 100]).verdict).toBe('met')
  expect(row([40, 41, 42], [100, 100, 100]).verdict).toBe('not met')
  expect(row([40, 60, 61], [90, 100, 140]).verdict).toBe('not separated')
  expect(row([10, 11, 12], [10, 10, 10], atMost(1.2)).verdict).toBe('met')
  expect(row([20, 21, 22], [10, 10, 10], atMost(1.2)).verdict).toBe('not met')
})

test('bench: a figure’s name has its benchmark, target, job and peer, even if its job continues another', () => {
  const first = rowOf({
    job: 'a read (12 achieved)',
    unit: '/s',
    ours: [9, 8, 8.5],
    peer: { name: 'a peer', rounds: [10, 10, 10] },
    target: targetOf('P5'),
  })
  const second = { ...row([1], [1]), job: '  the same, p99', peer: null }
  const [one, two] = figuresOf('reads', { rows: [first, second], notes: [], proofs: [] })
  expect(one).toEqual({
    id: 'reads/p5/a-read/a-peer',
    ours: 8.5,
    peer: 10,
    ratio: 0.85,
    min: 0.8,
    max: 0.9,
    target: 0.7,
    verdict: 'met',
  })
  expect(two?.id).toBe('reads/a-read-the-same-p99')
})

test('bench: the table has one line for many results with one target, and says how many met it', () => {
  const paces = (count: number, ours: number) =>
    Array.from({ length: count }, () => row([ours], [10], targetOf('P16')))
  const rows = [row([9], [10], targetOf('P5')), ...paces(7, 15), ...paces(2, 30)]
  const result = { rows, notes: [], proofs: [] }
  const run = { commit: 'c', date: '2026-11-30', title: 't', rounds: 1, seconds: 1 }
  const lines = tableInMarkdown({ paces: { ...run, load: [0, 0], result } }).split('\n')
  expect(lines.filter(line => line.startsWith('| P5 '))).toHaveLength(1)
  const [line, ...others] = lines.filter(each => each.startsWith('| P16 '))
  expect(line).toContain(' 1.5 (1.5–3) | ≤ 2 | 7 met, 2 not met |')
  expect(others).toEqual([])
})

test('bench: rounds are interleaved, each starts with a different side, and the first is discarded', async () => {
  const order: string[] = []
  const side = (name: string) => async () => order.push(name)
  const runs = await interleave(2, { a: side('a'), b: side('b') })
  expect(order.join('')).toBe('abbaab')
  expect(runs).toEqual({ a: [4, 5], b: [3, 6] })
})

test('bench: a list’s median and percentiles', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 2, 3])).toBe(2.5)
  expect(percentile([1, 2, 3, 4], 0.5)).toBe(3)
  expect(percentile([1, 2, 3, 4], 0.99)).toBe(4)
})
