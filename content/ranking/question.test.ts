import { expect, test } from 'bun:test'
import { nameTerm, termsOf, wordMatcher } from './question.ts'

test('question: its terms don’t depend on the order of its words', () => {
  expect(termsOf('webhook signature')).toContain('signatur')
  expect(termsOf('keys, rotate').filter(term => !term.includes('_'))).toEqual(
    termsOf('rotate keys').filter(term => !term.includes('_')),
  )
})

test('question: a name in code is its own term, alone or among words', () => {
  expect(termsOf('createPatient')).toContain(nameTerm('createPatient'))
  expect(termsOf('what does consent_required mean')).toContain(nameTerm('consent_required'))
  expect(termsOf('is case.approved.v1 sent twice')).toContain(nameTerm('case.approved.v1'))
  expect(termsOf('what is a case').filter(term => /^=[^~]/.test(term))).toEqual([])
})

test('question: words in a sentence that doesn’t ask are marked', () => {
  const terms = termsOf('We sell hair products in Ohio. Do you sign an agreement?')
  expect(terms).toContain('agreement')
  expect(terms).toContain('~hair')
  expect(terms).not.toContain('hair')
})

test('matched words: a page’s words, or all words if they are a page’s name', () => {
  const matchedBy = wordMatcher('How do webhooks work?')
  expect(matchedBy({ asked: ['webhook'] })).toEqual(['webhooks'])
  expect(matchedBy({ asked: ['=~webhook-work'] })).toEqual(['how', 'do', 'webhooks', 'work'])
})
