// SQL statements as values: a tagged template whose parts are parameters or other statements. Only
// this program's own literals become part of the text, so nothing has to be escaped. Decided in
// docs/decisions/0010-write-sql-as-tagged-template-values.md.

export type Value = string | number | bigint | boolean | null | Uint8Array | readonly string[]

export class Statement {
  constructor(
    private readonly literals: readonly string[],
    private readonly parts: readonly (Value | Statement)[],
  ) {}

  /** The text with numbered parameters, as the server prepares it, and the parameters in number
   *  order. Statements with the same shape share one string, so the string is built once, and the
   *  driver finds the prepared statement quickly. */
  get prepared(): { text: string; values: Value[] } {
    const values: Value[] = []
    const shape = this.walk(into(root, this.literals), values)
    return { text: (shape.text ??= this.write({ number: 0 })), values }
  }

  get text(): string {
    return this.prepared.text
  }

  get values(): Value[] {
    return this.prepared.values
  }

  /** The text between the parameters, for a tool with its own parameter syntax. */
  get strings(): string[] {
    return this.text.split(/\$\d+/)
  }

  private walk(from: Step, values: Value[]): Step {
    let step = from
    for (const part of this.parts) {
      if (part instanceof Statement) step = part.walk(into(step, part.literals), values)
      else {
        values.push(part)
        step = step.value ??= new Step()
      }
    }
    return step
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

/** A node in the tree of statement shapes. Only statements with the same shape end at the same
 *  node, because each of the program's template literals is one object with a fixed number of
 *  parts. */
class Step {
  text: string | undefined
  value: Step | undefined
  readonly nested = new Map<readonly string[], Step>()
}

const root = new Step()
let steps = 0
// More than this program's shapes need. The limit keeps a mistake from using up all memory.
const stepsMax = 100_000

function into(step: Step, literals: readonly string[]): Step {
  let next = step.nested.get(literals)
  if (next === undefined) {
    next = new Step()
    if (steps++ < stepsMax) step.nested.set(literals, next)
  }
  return next
}

/** Composes a statement. Inserts a part that is a statement; any other part becomes a parameter. */
export const sql = (literals: TemplateStringsArray, ...parts: (Value | Statement)[]): Statement =>
  new Statement(literals, parts)

export const nothing = sql``
