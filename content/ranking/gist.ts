import { termsIn } from './terms.ts'

/** A shorter text is only a question, without anything around it. */
const lengthMin = 40

/** Fewer words than this, as in “What now?”, don't say what the question is about. */
const wordsMin = 2

/**
 * Separates a text's sentences that ask from sentences that don't, such as greetings and
 * introductions. Without a question mark, or with a question mark after each sentence, the whole
 * text is the question.
 */
export function gistOf(text: string): { asks: string; aside: string } {
  const sentences =
    text.length < lengthMin ? [] : text.split(/(?<=\?)\s*|(?<=[.!:;])\s+|\n+/).filter(Boolean)
  const asking = sentences.filter(sentence => sentence.includes('?'))
  const asks = asking.join(' ')
  if (asking.length === sentences.length || termsIn(asks).length < wordsMin)
    return { asks: text, aside: '' }
  return { asks, aside: sentences.filter(sentence => !sentence.includes('?')).join(' ') }
}
