import sentences from './consent.json'
import { fill } from './fill.ts'

/** Which wording is in force. It is kept with every booking that an agent makes. */
export const consentVersion = sentences.version

export type Sentence = Exclude<keyof typeof sentences, 'version'>

/** A sentence taken apart: what always stands, and between it what is put in. */
type Parts = { readonly texts: readonly string[]; readonly gaps: readonly Gap[] }
/** `usual` is the company's own word for it, or the name in its braces where it has none. */
type Gap = { readonly name: string; readonly usual: string }

const taken = new Map<Sentence, Parts>()

function partsOf(sentence: Sentence): Parts {
  let parts = taken.get(sentence)
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
    taken.set(sentence, parts)
  }
  return parts
}

/**
 * A sentence of `consent.json` as a person reads it: the company's own names filled in, and these
 * values where the sentence has their names in braces. What a value says in braces stays as it is.
 */
export function say(sentence: Sentence, values: Readonly<Record<string, string>> = {}): string {
  const { texts, gaps } = partsOf(sentence)
  let said = texts[0] ?? ''
  for (const [at, { name, usual }] of gaps.entries()) {
    said += (values[name] ?? usual) + (texts[at + 1] ?? '')
  }
  return said
}
