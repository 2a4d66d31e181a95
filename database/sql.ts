// Statements as values: a tagged template whose parts are parameters or other statements. Nothing
// is ever pasted into the text but literals of this program, so there is nothing to escape.

export type Value = string | number | bigint | boolean | null | Uint8Array | readonly string[]

export class Statement {
  constructor(
    private readonly literals: readonly string[],
    private readonly parts: readonly (Value | Statement)[],
  ) {}

  /** The parameters, in the order of their numbers. */
  get values(): Value[] {
    const values: Value[] = []
    this.collect(values)
    return values
  }

  /** The text with numbered parameters, as the server prepares it. Statements of one shape share
   *  one text: it is put together once, and the driver knows it again at a glance. */
  get text(): string {
    const shape = this.shape()
    let text = texts.get(shape)
    if (text === undefined) {
      text = this.write({ number: 0 })
      if (texts.size < textsMax) texts.set(shape, text)
    }
    return text
  }

  /** The text between the parameters, for a tool that writes parameters its own way. */
  get strings(): string[] {
    return this.text.split(/\$\d+/)
  }

  private collect(values: Value[]): void {
    for (const part of this.parts) {
      if (part instanceof Statement) part.collect(values)
      else values.push(part)
    }
  }

  /** Which literals are nested in which, and where parameters stand between them. */
  private shape(): string {
    let shape = `${numberOf(this.literals)}(`
    for (const part of this.parts) shape += part instanceof Statement ? part.shape() : '.'
    return `${shape})`
  }

  private write(count: { number: number }): string {
    let text = this.literals[0] ?? ''
    for (const [at, part] of this.parts.entries()) {
      text += part instanceof Statement ? part.write(count) : `$${++count.number}`
      text += this.literals[at + 1] ?? ''
    }
    return text
  }
}

const texts = new Map<string, string>()
// More shapes than this program has; a bound, so that a mistake cannot grow without one.
const textsMax = 5000

const numbers = new WeakMap<readonly string[], number>()
let numbered = 0

/** Every template of the program is one object, so its number stands for its text. */
function numberOf(literals: readonly string[]): number {
  let number = numbers.get(literals)
  if (number === undefined) numbers.set(literals, (number = ++numbered))
  return number
}

/** Composes a statement. A part that is a statement is spliced in, any other is a parameter. */
export const sql = (literals: TemplateStringsArray, ...parts: (Value | Statement)[]): Statement =>
  new Statement(literals, parts)

export const nothing = sql``
