import { expect, test } from 'bun:test'
import { type JobProgress, progressLine } from './progress.ts'

const begun: JobProgress = {
  name: '0154_x',
  kind: 'index',
  state: 'waiting',
  phase: null,
  share: null,
  rows_done: 0,
  failure: null,
}

test.each<[Partial<JobProgress>, string]>([
  [{}, 'waiting  0154_x'],
  [
    { state: 'running', phase: 'building index', share: 0.509 },
    'running  0154_x  building index, 50 %',
  ],
  [{ state: 'stopped', share: 0 }, 'stopped  0154_x  0 %'],
  [{ state: 'done', share: 1 }, 'done     0154_x'],
  [{ kind: 'backfill', state: 'done', share: 1, rows_done: 12 }, 'done     0154_x  12 rows'],
  [
    { kind: 'backfill', state: 'failing', share: 0.509, rows_done: 7, failure: '23505' },
    'failing  0154_x  50 %, 7 rows, SQLSTATE 23505',
  ],
])('progress of an online job: %j', (more, line) => {
  expect(progressLine({ ...begun, ...more })).toBe(line)
})
