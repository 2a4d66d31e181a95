// An operation's refusals as responses: one per status, listing its possible codes. Rows with the
// same refusals share one component.

import type { TSchema } from 'typebox'
import type { Occasion } from '../headers.ts'
import type { ApiName, RouteRow } from '../operation.ts'
import type { ProblemCodeOf } from '../problems.ts'
import { answerHeaderRefs } from './headers.ts'
import type { Node, Schemas } from './schemas.ts'

/** Temporary refusals: the caller can send the same request again after Retry-After. */
export const waits: readonly ProblemCodeOf<'v1'>[] = [
  'idempotency_in_progress',
  'export_not_ready',
  'rate_limited',
  'service_unavailable',
]
const challenges: readonly ProblemCodeOf<'v1'>[] = ['unauthorized', 'insufficient_scope']

/** An operation's refusals. */
export type Refusing = {
  readonly row: RouteRow
  readonly refusals: readonly string[]
  /** The name of the operation's error body in `RefusalTable.bodies`. */
  readonly errorFormat: string
}

/** An API's problems and error bodies. */
export type RefusalTable = {
  readonly problems: Readonly<Record<string, { readonly status: number; readonly title: string }>>
  /** Each format's schema, media type and prefix for component names. */
  readonly bodies: Readonly<
    Record<string, { readonly name: string; readonly schema: TSchema; readonly type: string }>
  >
  /** Codes that every operation has. Component names omit these codes. */
  readonly common: ReadonlySet<string>
  /** A refusal's body and its component's name. Without a name, the body is inlined. */
  example(code: string, operation: Refusing): RefusalExample | null
}

type RefusalExample = { readonly component?: string; readonly value: unknown }

const pascal = (code: string) =>
  code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

const sorted = (components: ReadonlyMap<string, Node>): Node =>
  Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1)))

const occasionsOf = (codes: readonly string[]): Occasion[] => [
  'every',
  ...(waits.some(code => codes.includes(code)) ? (['wait'] as const) : []),
  ...(challenges.some(code => codes.includes(code)) ? (['challenge'] as const) : []),
]

/** Collects the responses and examples that operations refer to. */
export class Refusals {
  readonly #responses = new Map<string, Node>()
  readonly #examples = new Map<string, Node>()
  constructor(
    readonly api: ApiName,
    readonly table: RefusalTable,
    readonly schemas: Schemas,
  ) {}

  /** Maps each status in the row's refusals to a reference. */
  of(operation: Refusing): Node {
    const byStatus = Map.groupBy(operation.refusals, code => this.#problem(code).status)
    return Object.fromEntries(
      [...byStatus].map(([status, codes]) => [
        String(status),
        this.#response(operation, status, codes),
      ]),
    )
  }

  get components(): Node {
    const examples = this.#examples.size > 0 ? { examples: sorted(this.#examples) } : {}
    return { responses: sorted(this.#responses), ...examples }
  }

  #problem(code: string) {
    const problem = this.table.problems[code]
    if (!problem) throw new Error(`the problems table has no ${code}`)
    return problem
  }

  #response(operation: Refusing, status: number, codes: readonly string[]): Node {
    const body = this.table.bodies[operation.errorFormat]
    if (!body) throw new Error(`the API has no error body for ${operation.errorFormat}`)
    const own = codes.filter(code => !this.table.common.has(code))
    const name = `${body.name}${status}${own.map(pascal).join('')}`
    if (!this.#responses.has(name)) {
      const examples = codes.flatMap(code => this.#example(code, operation))
      this.#responses.set(name, {
        description: codes.map(code => `- \`${code}\`: ${this.#problem(code).title}.`).join('\n'),
        headers: answerHeaderRefs(this.api, occasionsOf(codes)),
        content: {
          [body.type]: {
            schema: this.schemas.refer(body.schema),
            ...(examples.length > 0 ? { examples: Object.fromEntries(examples) } : {}),
          },
        },
      })
    }
    return { $ref: `#/components/responses/${name}` }
  }

  #example(code: string, operation: Refusing): [code: string, example: Node][] {
    const example = this.table.example(code, operation)
    if (!example) return []
    const { component, value } = example
    const written = { summary: this.#problem(code).title, value }
    if (component === undefined) return [[code, written]]
    this.#examples.set(component, written)
    return [[code, { $ref: `#/components/examples/${component}` }]]
  }
}
