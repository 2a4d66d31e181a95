// The refusals of a row of the site's API as responses, in the form in which its callers read them.
import { Type } from 'typebox'
import { siteProblemExample } from '../examples/site-problems.ts'
import { named } from '../shapes.ts'
import { type SiteForm, type SiteOperation, siteRefusalsOf } from '../site/operation.ts'
import { type SiteProblemCode, siteProblems } from '../site/problems.ts'
import type { Node, Schemas } from './schemas.ts'
import { everySiteHeader, siteHeaderRefs } from './site-headers.ts'

const words = (description: string) => Type.String({ description })

const SiteProblem = named(
  'Problem',
  'RFC 9457, with a code to branch on and a hint that says what to do next.',
  {
    type: Type.String({ format: 'uri-reference', description: 'A page about the code.' }),
    title: words('Fixed for the code.'),
    status: Type.Integer({ description: 'As in the status line.' }),
    detail: words('This one occasion.'),
    code: words('Stable, in snake_case.'),
    hint: words('What to do next.'),
  },
)

/** ACP's own flat error, and beside it the messages that its sessions have. */
export const AcpError = named('AcpError', 'The error of ACP, with `messages` beside it.', {
  type: words('`invalid_request`, `processing_error` or `service_unavailable`.'),
  code: words('What went wrong.'),
  message: words('For people.'),
  param: Type.Optional(words('Where, as JSONPath.')),
  supported_versions: Type.Optional(Type.Array(words('A date.'))),
  messages: Type.Array(
    Type.Object({
      type: Type.Literal('error'),
      code: words('A code of ACP’s closed list.'),
      content_type: words('`plain`.'),
      content: words('What went wrong and what to do next.'),
    }),
  ),
})

export const RpcError = named('RpcError', 'The error of JSON-RPC 2.0.', {
  jsonrpc: Type.Literal('2.0'),
  id: Type.Unsafe({
    type: ['string', 'integer', 'null'],
    description: 'Null where the call was refused before its body was read.',
  }),
  error: Type.Object({
    code: Type.Integer(),
    message: words('For people.'),
    data: Type.Optional(Type.Unknown({ description: 'The code, and a hint.' })),
  }),
})

const shapes = {
  problem: { schema: SiteProblem, type: 'application/problem+json' },
  acp: { schema: AcpError, type: 'application/json' },
  jsonrpc: { schema: RpcError, type: 'application/json' },
} as const

/** The media type and the schema in which a form refuses. */
export const refusalShape = (form: SiteForm) => shapes[form]

const waits: ReadonlySet<SiteProblemCode> = new Set(['rate_limited', 'service_unavailable'])
const forms = { problem: 'Problem', acp: 'Acp', jsonrpc: 'Rpc' } as const
const pascal = (code: string) =>
  code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Gathers the responses that rows share: one for each form, status and set of codes. */
export class SiteRefusals {
  readonly #responses = new Map<string, Node>()
  constructor(readonly schemas: Schemas) {}

  /** Status → reference. */
  of(row: SiteOperation): Node {
    const codes = siteRefusalsOf(row)
    const statuses = [...new Set(codes.map(code => siteProblems[code].status))]
    return Object.fromEntries(
      statuses
        .toSorted((a, b) => a - b)
        .map(status => {
          const same = codes.filter(code => siteProblems[code].status === status)
          return [String(status), this.#response(row.form, status, same)]
        }),
    )
  }

  get components(): Node {
    return Object.fromEntries([...this.#responses].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }

  #response(form: SiteForm, status: number, codes: readonly SiteProblemCode[]): Node {
    const name = `${forms[form]}${status}${codes.map(pascal).join('')}`
    if (!this.#responses.has(name)) {
      const { schema, type } = shapes[form]
      const retry = codes.some(code => waits.has(code)) ? (['Retry-After'] as const) : []
      const media = { schema: this.schemas.refer(schema), ...examplesOf(form, codes) }
      this.#responses.set(name, {
        description: codes.map(code => `- \`${code}\`: ${siteProblems[code].title}.`).join('\n'),
        headers: siteHeaderRefs([...everySiteHeader, ...retry]),
        content: { [type]: media },
      })
    }
    return { $ref: `#/components/responses/${name}` }
  }
}

/** The other forms are shown by the rows that use them. */
function examplesOf(form: SiteForm, codes: readonly SiteProblemCode[]): Node {
  if (form !== 'problem') return {}
  const examples = codes.map(code => [
    code,
    { summary: siteProblems[code].title, value: siteProblemExample(code) },
  ])
  return { examples: Object.fromEntries(examples) }
}
