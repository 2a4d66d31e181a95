import { expect, test } from 'bun:test'
import { statusText, statusWords } from './status-text.ts'

test('statuses are words that people use', () => {
  expect(
    ['waiting_on_patient', 'cancelled', 'no_show', 'lapsed', 'toString', ''].map(statusText),
  ).toEqual(['Waiting on patient', 'Canceled', 'No-show', 'Expired', 'ToString', ''])
  expect(['in_review', 'no_show'].map(statusWords)).toEqual(['in review', 'no-show'])
})
