import sentences from './consent.json'
import { fill } from './fill.ts'

/** The wording's version. Every agent booking stores it. */
export const consentVersion = sentences.version

export type Sentence = Exclude<keyof typeof sentences, 'version'>

/** A sentence split into its fixed texts and the placeholders between them. */
type Parts = { readonly texts: readonly string[]; readonly gaps: readonly Gap[] }
/** `usual` is the company's value, or the name in braces if the company has no value. */
type Gap = { readonly name: string; readonly usual: string }

const cache = new Map<Sentence, Parts>()

function partsOf(sentence: Sentence): Parts {
  let parts = cache.get(sentence)
  if (parts === undefined) {
    const [first = '', ...rest] = sentences[sentence].split('{')
    const pairs = rest.map(each => each.split('}', 2))
    parts = {
      texts: [first, ...pairs.map(([, text = '']) => text)],
      gaps: pairs.map(([name = '']) => ({
        name,
        usual: name === 'ask' ? say('ask') : fill(`{${name}}`),
      })),
    }
    cache.set(sentence, parts)
  }
  return parts
}

/**
 * A sentence from `consent.json`, in which the company's names and these values replace the names
 * in braces. Braces inside a value stay unchanged.
 */
export function say(sentence: Sentence, values: Readonly<Record<string, string>> = {}): string {
  const { texts, gaps } = partsOf(sentence)
  let text = texts[0] ?? ''
  for (const [at, { name, usual }] of gaps.entries()) {
    text += (values[name] ?? usual) + (texts[at + 1] ?? '')
  }
  return text
}
