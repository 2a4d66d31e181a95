// The site API's error bodies, one per format.
import { Type } from 'typebox'
import { named } from '../shapes.ts'

const words = (description: string) => Type.String({ description })

const SiteProblem = named(
  'Problem',
  'RFC 9457, with a code to branch on and a hint that says what to do next.',
  {
    type: Type.String({ format: 'uri-reference', description: 'A page about the code.' }),
    title: words('The same for every occurrence of the code.'),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: words('What is wrong with this request.'),
    code: words('A stable code, in snake_case.'),
    hint: words('What to do next.'),
    request_id: Type.Optional(words('The ID to give to the operator. Only with 5xx.')),
    supported_versions: Type.Optional(
      Type.Array(words('A date.'), {
        description: 'With `unsupported_api_version`: the supported versions.',
      }),
    ),
    limit_bytes: Type.Optional(
      Type.Integer({ description: 'With `payload_too_large`: the maximum size in bytes.' }),
    ),
  },
)

/** ACP's flat error, with the messages of ACP sessions. */
export const AcpError = named('AcpError', 'An ACP error, with `messages`.', {
  type: words('`invalid_request`, `processing_error` or `service_unavailable`.'),
  code: words('What went wrong.'),
  message: words('A human-readable message.'),
  param: Type.Optional(words('The location, as JSONPath.')),
  supported_versions: Type.Optional(Type.Array(words('A date.'))),
  messages: Type.Array(
    Type.Object({
      type: Type.Literal('error'),
      code: words('A code from ACP’s closed list.'),
      content_type: words('`plain`.'),
      content: words('What went wrong and what to do next.'),
    }),
  ),
})

export const RpcError = named('RpcError', 'A JSON-RPC 2.0 error.', {
  jsonrpc: Type.Literal('2.0'),
  id: Type.Unsafe({
    type: ['string', 'integer', 'null'],
    description: 'null if the call was refused before its body was read.',
  }),
  error: Type.Object({
    code: Type.Integer(),
    message: words('A human-readable message.'),
    data: Type.Optional(Type.Unknown({ description: 'The code and a hint.' })),
  }),
})

/** Each format's schema and media type. */
export const errorBodies = {
  problem: { schema: SiteProblem, type: 'application/problem+json' },
  acp: { schema: AcpError, type: 'application/json' },
  jsonrpc: { schema: RpcError, type: 'application/json' },
} as const
