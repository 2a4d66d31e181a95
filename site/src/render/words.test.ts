import { expect, test } from 'bun:test'
import { assert, constantFrom, oneof, property, string } from 'fast-check'
import { tokenize } from '#content/search.ts'
import { Vocabulary } from './words.ts'

const wordsOf = (vocabulary: Vocabulary, text: string) => {
  const found: number[] = []
  vocabulary.read(text, word => found.push(word))
  return found.map(word => vocabulary.words[word])
}

test('words are those that a question is made of, whatever is written', () => {
  const vocabulary = new Vocabulary()
  const letters = constantFrom(...'abzK09 .-\'’"\n\u212aéßŒﬁİſ😀'.split(''))
  const texts = oneof(string({ unit: letters, maxLength: 80 }), string())
  assert(property(texts, text => expect(wordsOf(vocabulary, text)).toEqual(tokenize(text))))
})

test('a word has one number, however many there are and however long they are', () => {
  const vocabulary = new Vocabulary()
  const many = Array.from({ length: 3_000 }, (_, at) => `word${at} ${'long'.repeat(at % 99)}`)
  const text = many.join('. ')
  expect(wordsOf(vocabulary, text)).toEqual(tokenize(text))
  expect(vocabulary.words).toEqual([...new Set(tokenize(text))])
})
