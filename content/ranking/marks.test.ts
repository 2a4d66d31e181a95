import { expect, test } from 'bun:test'
import { alsoFor, markedParts } from './marks.ts'

const link = {
  url: '/a',
  title: 'When a clinician declines',
  description: 'Refunds and words.',
  score: 1,
  asked: ['declin'],
  found: ['declin'],
}

test('marks: a word is marked in all its forms, and no text is lost', () => {
  const parts = markedParts('Declined, or declines?', ['declin'])
  expect(parts.filter(({ isMarked }) => isMarked).map(({ text }) => text)).toEqual([
    'Declined',
    'declines',
  ])
  expect(parts.map(({ text }) => text).join('')).toBe('Declined, or declines?')
})

test('marks: synonyms are listed, and the question’s own words are not', () => {
  expect(alsoFor('was turned down', [link])).toEqual(['declines'])
  expect(alsoFor('declined', [link])).toEqual([])
})
