// What belongs to no single resource: the answer of a DELETE, a problem, the parameters of a list.

import { Type, type TSchema } from 'typebox'
import { limits } from '../limits.ts'
import { faultCodes } from '../faults.ts'
import { problemCodesOf } from '../problems.ts'
import { allScopes } from '../scopes.ts'
import { idOf, moment, named, oneOf, openWord, whole } from '../shapes.ts'

export const Deleted = named('Deleted', 'The response to every DELETE.', {
  id: Type.String({ description: 'The id in the path.' }),
  deleted: Type.Literal(true),
})

const FieldError = named('FieldError', 'One error in one request value.', {
  pointer: Type.String({
    description:
      '`#/a/0/b` into the body, `?name` for a query parameter, `API-Version:` for that header.',
  }),
  code: openWord(faultCodes, { description: 'What is wrong. Stable.' }),
  message: Type.String({
    description: 'What the value must be, in one sentence. It never repeats the value.',
  }),
})

/** Members that a refusal has for some codes. */
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)
const ofCodes = {
  organizations: optional(
    Type.Array(Type.Object({ id: idOf('organization'), name: Type.String() }), {
      description: 'Of `organization_required`: those that granted access.',
    }),
  ),
  required_scope: optional(oneOf(allScopes, { description: 'Of `insufficient_scope`.' })),
  granted_scopes: optional(
    Type.Array(oneOf(allScopes), { description: 'Of `insufficient_scope`: the scopes you have.' }),
  ),
  missing: optional(
    Type.Array(Type.String(), { description: 'Of `consent_required`: the kinds to record.' }),
  ),
  resource: optional(
    Type.Object(
      { type: Type.String(), id: Type.String() },
      { description: 'Of `invalid_transition`: what cannot move.' },
    ),
  ),
  current_status: optional(
    Type.String({ description: 'Of `invalid_transition` and `export_not_ready`.' }),
  ),
  allowed_from: optional(
    Type.Array(Type.String(), {
      description: 'Of `invalid_transition`: the statuses that allow the operation.',
    }),
  ),
  orders: optional(
    Type.Array(Type.Object({ id: idOf('order'), status: Type.String() }), {
      description: 'Of `invalid_transition` of a sandbox control: the orders of the case.',
    }),
  ),
  starts_at: optional(moment({ description: 'Of `slot_unavailable`.' })),
  opens_at: optional(moment({ description: 'Of `join_not_open`.' })),
  closes_at: optional(moment({ description: 'Of `join_not_open`.' })),
  expires_at: optional(moment({ description: 'Of `gone`: when the download ended.' })),
  limit: optional(Type.Integer({ description: 'Of `endpoint_limit_reached`.' })),
  limit_bytes: optional(Type.Integer({ description: 'Of `payload_too_large`.' })),
}

export const ProblemBody = named('Problem', 'An error, `application/problem+json` (RFC 9457).', {
  type: Type.String({ format: 'uri' }),
  title: Type.String({ description: 'Fixed per code.' }),
  status: Type.Integer({ description: 'The HTTP status.' }),
  detail: Type.String({ description: 'What is wrong with this request. Never patient data.' }),
  code: openWord(problemCodesOf('v1'), { description: 'Stable. Branch on it.' }),
  request_id: idOf('request', { description: 'Equals the Request-Id header.' }),
  hint: Type.Optional(Type.String({ description: 'What to do next.' })),
  errors: Type.Optional(Type.Array(FieldError, { minItems: 1, maxItems: limits.faultsMax })),
  ...ofCodes,
})

/** The two parameters of every list. `noun` is the resource that the list holds. */
export const page = (noun: Parameters<typeof idOf>[0]) => ({
  limit: Type.Optional(
    whole(1, limits.pageMax, { default: limits.pageDefault, description: 'Items per page.' }),
  ),
  starting_after: Type.Optional(
    idOf(noun, {
      'x-cursor': true,
      description:
        'The id of the last item you received. It works even after that item was deleted.',
    }),
  ),
})
