import sentences from './consent.json'
import { fill } from './fill.ts'

/** Which wording is in force. It is kept with every booking that an agent makes. */
export const consentVersion = sentences.version

export type Sentence = Exclude<keyof typeof sentences, 'version'>

/**
 * A sentence of `consent.json` as a person reads it: the company's own names filled in, and these
 * values where the sentence has their names in braces. What a value says in braces stays as it is.
 */
export function say(sentence: Sentence, values: Readonly<Record<string, string>> = {}): string {
  const known: Readonly<Record<string, string>> = { ask: fill(sentences.ask), ...values }
  return sentences[sentence].replace(/\{([^{}]+)\}/g, (whole, name: string) =>
    Object.hasOwn(known, name) ? (known[name] ?? '') : fill(whole),
  )
}
