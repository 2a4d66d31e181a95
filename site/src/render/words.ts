// The words of many pages as numbers. `tokenize` of `#content/search.ts` says what a word is and
// makes a text of each; a site says the same words on every page, so here only a new one becomes a
// text. A test holds the two to each other.

const [zero, nine, a, z] = [48, 57, 97, 122]
const [straight, curly] = [0x27, 0x2019]

/** Words in the order in which they were first read; the place of one here is its number. */
export class Vocabulary {
  readonly words: string[] = []
  /** The letters of all words, one after another, and where each begins. */
  #letters = new Uint8Array(1 << 16)
  #starts = new Uint32Array(1 << 12)
  #hashes = new Int32Array(1 << 12)
  /** By hash: a word's number and one, or nothing. Never more than half full. */
  #table = new Uint32Array(1 << 13)
  /** The word that is being read. */
  #word = new Uint8Array(1 << 8)

  /** Calls back with the number of each word of a text, in its order. */
  read(text: string, found: (word: number) => void): void {
    const plain = text.normalize('NFKD').toLowerCase()
    let [length, hash] = [0, 0]
    for (let at = 0; at < plain.length; at++) {
      const code = plain.charCodeAt(at)
      if ((code >= a && code <= z) || (code >= zero && code <= nine)) {
        if (length === this.#word.length) this.#word = grown(this.#word)
        this.#word[length++] = code
        hash = Math.imul(hash ^ code, 0x01000193)
      } else if (length > 0 && code !== straight && code !== curly) {
        found(this.#numberOf(length, hash))
        length = 0
        hash = 0
      }
    }
    if (length > 0) found(this.#numberOf(length, hash))
  }

  #numberOf(length: number, hash: number): number {
    const mask = this.#table.length - 1
    for (let at = slotOf(hash, mask); ; at = (at + 1) & mask) {
      const number = (this.#table[at] ?? 0) - 1
      if (number < 0) return this.#learn(at, length, hash)
      if (this.#hashes[number] === hash && this.#is(number, length)) return number
    }
  }

  #is(number: number, length: number): boolean {
    const start = this.#starts[number] ?? 0
    if ((this.#starts[number + 1] ?? 0) - start !== length) return false
    for (let at = 0; at < length; at++)
      if (this.#letters[start + at] !== this.#word[at]) return false
    return true
  }

  #learn(slot: number, length: number, hash: number): number {
    const number = this.words.length
    const letters = this.#word.subarray(0, length)
    const start = this.#starts[number] ?? 0
    this.words.push(String.fromCharCode(...letters))
    while (start + length > this.#letters.length) this.#letters = grown(this.#letters)
    this.#letters.set(letters, start)
    if (number + 2 > this.#starts.length) this.#starts = grown(this.#starts)
    this.#starts[number + 1] = start + length
    if (number + 1 > this.#hashes.length) this.#hashes = grown(this.#hashes)
    this.#hashes[number] = hash
    this.#table[slot] = number + 1
    if (this.words.length * 2 > this.#table.length) this.#widen()
    return number
  }

  #widen(): void {
    const table = new Uint32Array(this.#table.length * 2)
    const mask = table.length - 1
    for (let number = 0; number < this.words.length; number++) {
      let at = slotOf(this.#hashes[number] ?? 0, mask)
      while (table[at] !== 0) at = (at + 1) & mask
      table[at] = number + 1
    }
    this.#table = table
  }
}

const slotOf = (hash: number, mask: number) => (hash ^ (hash >>> 15)) & mask

type Numbers = Uint8Array | Uint32Array | Int32Array

/** The same numbers, and room for as many again. */
export function grown<Kind extends Numbers>(from: Kind): Kind {
  const to = new (from.constructor as new (length: number) => Kind)(from.length * 2)
  to.set(from)
  return to
}
