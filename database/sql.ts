// Statements as values: a tagged template whose parts are parameters or other statements. Nothing
// is ever pasted into the text but literals of this program, so there is nothing to escape.

export type Value = string | number | bigint | boolean | null | Uint8Array | readonly string[]

export class Statement {
  constructor(
    readonly strings: readonly string[],
    readonly values: readonly Value[],
  ) {}

  /** The text with numbered parameters, as the server prepares it. */
  get text(): string {
    let text = this.strings[0] ?? ''
    for (let at = 1; at < this.strings.length; at++) text += `$${at}${this.strings[at]}`
    return text
  }
}

/** Composes a statement. A part that is a statement is spliced in, any other is a parameter. */
export function sql(literals: TemplateStringsArray, ...parts: (Value | Statement)[]): Statement {
  const strings = [literals[0] ?? '']
  const values: Value[] = []
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? null
    const after = literals[at + 1] ?? ''
    if (part instanceof Statement) {
      strings[strings.length - 1] += part.strings[0] ?? ''
      for (let inner = 1; inner < part.strings.length; inner++)
        strings.push(part.strings[inner] ?? '')
      values.push(...part.values)
      strings[strings.length - 1] += after
    } else {
      strings.push(after)
      values.push(part)
    }
  }
  return new Statement(strings, values)
}

export const nothing = sql``
