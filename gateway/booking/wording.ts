// What a person is told, in the words of `content/consent.json` and in no others.
import sentences from '#content/consent.json'
import { fill } from '#content/fill.ts'

export type Sentence = keyof typeof sentences

/**
 * Which wording was in force, kept with every record: it changes when a sentence does, so nobody
 * has to remember to count it up, and git finds the file that it was made from.
 */
export const wordingVersion: string = new Bun.CryptoHasher('sha256')
  .update(JSON.stringify(sentences))
  .digest('hex')
  .slice(0, 12)

/**
 * A sentence with the company's names in it, and with those values that only the moment knows, such
 * as `first_name`. A name that contains a brace is not looked into again.
 */
export function wording(id: Sentence, values: Readonly<Record<string, string>> = {}): string {
  return sentences[id].replace(/\{([^{}]+)\}/g, (name, key: string) => values[key] ?? fill(name))
}
