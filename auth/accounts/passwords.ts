// The rules for new passwords. A password is tested the way attackers guess, with lists of common
// passwords, words and patterns, all on this machine. Nothing is sent anywhere unless an operator
// configures a breach service, which receives five characters of the hash.
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { openOnce } from '#http/open-once.ts'
import { isBreached } from './breached-passwords.ts'

const characters = { min: 12, max: 1000 } as const
/** How much of a password is scored. Scoring a thousand characters takes more than a second, and a
 *  hundred are either strong or a repetition. */
const scoredCharacters = 100
/** The minimum score, from 0 to 4. A score of 3 means more than 10^8 guesses. */
const scoreMin = 3

async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Guesser }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ])
  const dictionary = { ...common.dictionary, ...english.dictionary }
  return new Guesser({ dictionary, graphs: common.adjacencyGraphs })
}

/** Loads on first use, because its word lists take a while to load. */
const guesser = openOnce(load)

/** Whether a service lists the password as breached. */
export type BreachService = (password: string) => Promise<boolean>

/** Why a password can't be chosen. `known` has public facts about the person and the company, such
 *  as names and addresses. */
export async function passwordFault(
  typed: string,
  known: readonly string[],
  isListed: BreachService = async () => false,
): Promise<string | undefined> {
  const password = typed.normalize('NFKC')
  if (password.length < characters.min) {
    return `Use at least ${characters.min} characters.`
  }
  if (password.length > characters.max) {
    return `Use at most ${characters.max} characters.`
  }
  const words = wordsOf(known)
  const guesses = await guesser.get()
  for (const guessed of [password, undecorated(password, words)]) {
    const scored = guessed.slice(0, scoredCharacters)
    if (guesses.check(scored, words).score < scoreMin) {
      return 'That password is too easy to guess. Try four unrelated words.'
    }
  }
  return (await isBreached(password)) || (await isListed(password))
    ? 'That password is on a list of stolen passwords. Try four unrelated words.'
    : undefined
}

/** Each known string, its words, and the words joined together. */
const wordsOf = (known: readonly string[]): string[] => [
  ...new Set(
    known.flatMap(text => {
      const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u)
      return [text, words.join(''), ...words].filter(word => word.length >= 3)
    }),
  ),
]

/** Removes years, known words, and the digits and symbols that people add to a word to satisfy a
 *  rule. Attackers try such variations of every word, so these additions make a password little
 *  stronger. */
function undecorated(password: string, words: readonly string[]): string {
  const bare = password
    .replaceAll(/(?:19|20)\d\d/g, '')
    .replace(/^[^\p{L}\d]{0,3}\d{0,4}[^\p{L}\d]{0,3}/u, '')
    .replace(/[^\p{L}\d]{0,3}\d{0,4}[^\p{L}\d]{0,3}$/u, '')
  const longest = words.toSorted((one, other) => other.length - one.length)
  const unknown = longest.reduce((left, word) => left.replaceAll(word, ' '), bare.toLowerCase())
  return unknown === bare.toLowerCase() ? bare : unknown.replaceAll(/[^\p{L}\p{N}]/gu, '')
}

const serviceMilliseconds = 2000

/** A service that returns SHA-1 ranges, such as Have I Been Pwned. If it's unavailable, no password
 *  is refused. */
export const openBreachService =
  (url: string): BreachService =>
  async password => {
    const hash = new Bun.CryptoHasher('sha1').update(password).digest('hex').toUpperCase()
    const answer = await fetch(url + hash.slice(0, 5), {
      headers: { 'add-padding': 'true' },
      signal: AbortSignal.timeout(serviceMilliseconds),
    })
      .then(response => (response.ok ? response.text() : ''))
      .catch(() => '')
    return answer.split('\n').some(line => {
      const [suffix, count] = line.trim().split(':')
      return suffix === hash.slice(5) && Number(count) > 0
    })
  }
