import { expect, test } from 'bun:test'
import { hitsOf, linesOfReport } from './coverage.ts'

test('coverage: reads how often each line of each file ran', () => {
  const report = 'TN:\nSF:a/x.ts\nFNF:1\nDA:1,1\nDA:3,0\nend_of_record\nSF:b/y.ts\nDA:7,12\n'
  expect(linesOfReport(report)).toEqual(
    new Map([
      [
        'a/x.ts',
        [
          [1, 1],
          [3, 0],
        ],
      ],
      ['b/y.ts', [[7, 12]]],
    ]),
  )
})

test('coverage: a line without a count gets its neighbors’ count', () => {
  const lines: [number, number][] = [
    [2, 0],
    [4, 5],
    [9, 0],
  ]
  const hits = [1, 2, 3, 4, 6, 9, 10].map(line => hitsOf(lines, line))
  expect(hits).toEqual([0, 0, 5, 5, 5, 0, 0])
  expect(hitsOf([], 1)).toBe(0)
})
