// The bodies in which the site's API refuses, one for each format of its callers.
import { Type } from 'typebox'
import { named } from '../shapes.ts'

const words = (description: string) => Type.String({ description })

const SiteProblem = named(
  'Problem',
  'RFC 9457, with a code to branch on and a hint that says what to do next.',
  {
    type: Type.String({ format: 'uri-reference', description: 'A page about the code.' }),
    title: words('Fixed per code.'),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: words('What is wrong with this request.'),
    code: words('Stable, in snake_case.'),
    hint: words('What to do next.'),
    request_id: Type.Optional(words('By which the operator finds the request. Only with 5xx.')),
    supported_versions: Type.Optional(
      Type.Array(words('A date.'), { description: 'Of `unsupported_api_version`.' }),
    ),
    limit_bytes: Type.Optional(Type.Integer({ description: 'Of `payload_too_large`.' })),
  },
)

/** ACP's own flat error, with the messages of its sessions beside it. */
export const AcpError = named('AcpError', 'The error of ACP, with `messages` beside it.', {
  type: words('`invalid_request`, `processing_error` or `service_unavailable`.'),
  code: words('What went wrong.'),
  message: words('A text for people.'),
  param: Type.Optional(words('The location, as JSONPath.')),
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
    description: 'null if the call was refused before its body was read.',
  }),
  error: Type.Object({
    code: Type.Integer(),
    message: words('A text for people.'),
    data: Type.Optional(Type.Unknown({ description: 'The code and a hint.' })),
  }),
})

/** The schema and the media type of each format. */
export const errorBodies = {
  problem: { schema: SiteProblem, type: 'application/problem+json' },
  acp: { schema: AcpError, type: 'application/json' },
  jsonrpc: { schema: RpcError, type: 'application/json' },
} as const
