import { expect, test } from 'bun:test'
import { processTerm, tokenize } from './terms.ts'

test('search terms: words are letters and digits in lower case', () => {
  expect(tokenize('Service-Signature: case.approved.v1')).toEqual([
    'service',
    'signature',
    'case',
    'approved',
    'v1',
  ])
  expect(tokenize("Don’t, don't; café")).toEqual(['dont', 'dont', 'cafe'])
  expect(tokenize(' … ')).toEqual([])
})

test('search terms: synonyms become the pages’ word', () => {
  expect(['doctors', 'meeting', 'demo'].map(processTerm)).toEqual(['clinician', 'call', 'call'])
})

test('search terms: a term is a stem, and a stop word is not a term', () => {
  expect(['retry', 'retries', 'retried'].map(processTerm)).toEqual(['retri', 'retri', 'retri'])
  expect(['the', 'dont', 'a', 'x'].map(processTerm)).toEqual([null, null, null, null])
  expect(['503a', 'v1', '2026'].map(processTerm)).toEqual(['503a', 'v1', '2026'])
})
