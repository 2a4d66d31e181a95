import { isPair, isStop, processTerm } from './terms.ts'

const madeMax = 2000
const lettersMin = 5
const lettersMax = 20
const partMin = 3
const alphabet = [...'abcdefghijklmnopqrstuvwxyz']

/**
 * Every word one letter away: with a letter omitted, added or replaced, or with two letters
 * swapped.
 */
export function* neighbors(word: string): Generator<string> {
  for (let at = 0; at <= word.length; at++) {
    const [before, rest] = [word.slice(0, at), word.slice(at)]
    const [first = '', second = ''] = rest
    if (second !== '') yield before + second + first + rest.slice(2)
    if (first !== '') yield before + rest.slice(1)
    for (const letter of alphabet) {
      yield before + letter + rest
      if (first !== '') yield before + letter + rest.slice(1)
    }
  }
}

/** Whether a word is a stop word with two letters swapped. Such a word is also ignored. */
const isSwappedStop = (word: string) =>
  [...word].some((_, at) =>
    isStop(word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2)),
  )

/**
 * Returns a function that corrects a word that no page has: to the most frequent word one letter
 * away, or to the two words it joins, such as “sideeffect”. The function returns the word itself if
 * neither correction exists, and nothing for a stop word with two letters swapped. `pagesWith` has
 * each term's number of pages.
 */
export function speller(pagesWith: ReadonlyMap<string, number>) {
  const isPart = (part: string) => processTerm(part) === null || pagesWith.has(stem(part))
  const stem = (part: string) => processTerm(part) ?? part
  const make = (word: string): string[] => {
    const { length } = word
    if (length > lettersMax || isPair(word)) return [word]
    if (isSwappedStop(word)) return []
    if (length < lettersMin) return [word]
    let [best = word, most] = [word, 0]
    for (const each of neighbors(word)) {
      const count = pagesWith.get(each) ?? 0
      if (count > most || (count === most && count > 0 && each < best)) [best, most] = [each, count]
    }
    if (most > 0) return [best]
    for (let at = partMin; at <= length - partMin; at++) {
      const parts = [word.slice(0, at), word.slice(at)]
      const known = parts.map(stem).filter(part => pagesWith.has(part))
      if (known.length > 0 && parts.every(isPart)) return known
    }
    return [word]
  }
  const made = new Map<string, string[]>()
  return (word: string): string[] => {
    if (pagesWith.has(word)) return [word]
    const earlier = made.get(word)
    if (earlier !== undefined) return earlier
    const spelled = make(word)
    if (made.size === madeMax) made.clear()
    made.set(word, spelled)
    return spelled
  }
}
