// The refusals of an operation as responses: one for each status, naming the codes it may carry.
// Rows that may refuse alike share one component.

import { invalidQuery, refusals } from '../examples/problems.ts'
import { ids } from '../examples/resources.ts'
import { everyRefusal, isWrite, type Operation, refusalsOf } from '../operation.ts'
import { type ProblemCode, problems, type Refused } from '../problems.ts'
import { type AnswerHeader, everyHeader, headerRefs } from './headers.ts'
import { type Node, schemaRef } from './schemas.ts'

const pascal = (code: string) =>
  code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

const common: ReadonlySet<string> = new Set(everyRefusal)

/** Named by status and by what it may say beyond what every operation may. */
const responseName = (status: number, codes: readonly ProblemCode[]) =>
  `Problem${status}${codes
    .filter(code => !common.has(code))
    .map(pascal)
    .join('')}`

/** The body of one refusal, in the order in which it is answered. */
export function problemBody(
  code: ProblemCode,
  said: Refused & { detail: string },
  base: string,
): Node {
  const { status, title, hint } = problems[code]
  return {
    type: `${base}/problems/${code}`,
    title,
    status,
    detail: said.detail,
    code,
    request_id: ids.request,
    hint: said.hint ?? hint,
    ...(said.errors ? { errors: said.errors } : {}),
    ...said.members,
  }
}

/** Refusals that pass by themselves, so that waiting is the cure (contract/04, section 8). */
export const waits: readonly ProblemCode[] = [
  'idempotency_in_progress',
  'export_not_ready',
  'rate_limited',
  'service_unavailable',
]
const challenges: readonly ProblemCode[] = ['unauthorized', 'insufficient_scope']

function headersOf(codes: readonly ProblemCode[]): readonly AnswerHeader[] {
  return [
    ...everyHeader,
    ...(waits.some(code => codes.includes(code)) ? (['Retry-After'] as const) : []),
    ...(challenges.some(code => codes.includes(code)) ? (['WWW-Authenticate'] as const) : []),
  ]
}

const describe = (codes: readonly ProblemCode[]) =>
  codes.map(code => `- \`${code}\`: ${problems[code].title}.`).join('\n')

/** Gathers the responses and examples that the rows refer to. */
export class Refusals {
  readonly #responses = new Map<string, Node>()
  readonly #examples = new Map<string, Node>()
  constructor(readonly base: string) {}

  /** Status → reference, for every status that the row may refuse with. */
  of(operation: Operation): Node {
    const codes = refusalsOf(operation)
    const statuses = [...new Set(codes.map(code => problems[code].status))].toSorted(
      (a, b) => a - b,
    )
    return Object.fromEntries(
      statuses.map(status => {
        const of = codes.filter(code => problems[code].status === status)
        return [String(status), this.#response(status, of, isWrite(operation))]
      }),
    )
  }

  get components(): { responses: Node; examples: Node } {
    const sorted = (map: ReadonlyMap<string, Node>) =>
      Object.fromEntries([...map].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    return { responses: sorted(this.#responses), examples: sorted(this.#examples) }
  }

  #response(status: number, codes: readonly ProblemCode[], write: boolean): Node {
    const name = responseName(status, codes)
    if (!this.#responses.has(name)) {
      const examples = codes.map(code => [code, this.#example(code, write)])
      const media = { schema: schemaRef('Problem'), examples: Object.fromEntries(examples) }
      this.#responses.set(name, {
        description: describe(codes),
        headers: headerRefs(headersOf(codes)),
        content: { 'application/problem+json': media },
      })
    }
    return { $ref: `#/components/responses/${name}` }
  }

  /** A read has no body, so the example of its invalid request is one of its query. */
  #example(code: ProblemCode, write: boolean): Node {
    const query = code === 'invalid_request' && !write
    const name = query ? 'invalid_query' : code
    const value = problemBody(code, query ? invalidQuery : refusals[code], this.base)
    this.#examples.set(name, { summary: problems[code].title, value })
    return { $ref: `#/components/examples/${name}` }
  }
}
