// Schemas that several resources share: the response to a DELETE, the problem body, and list
// parameters.

import { Type, type TSchema } from 'typebox'
import { limits } from '../limits.ts'
import { faultCodes } from '../faults.ts'
import { problemCodesOf } from '../problems.ts'
import { allScopes } from '../scopes.ts'
import { idOf, moment, named, oneOf, openWord, whole } from '../shapes.ts'

export const Deleted = named('Deleted', 'The response to every DELETE.', {
  id: Type.String({ description: 'The ID in the path.' }),
  deleted: Type.Literal(true),
})

const FieldError = named('FieldError', 'An error in one value of a request.', {
  pointer: Type.String({
    description:
      'Where the value is: `#/a/0/b` in the body, `?name` in the query, `API-Version:` in that header.',
  }),
  code: openWord(faultCodes, { description: 'What is wrong. Codes are stable.' }),
  message: Type.String({
    description: 'What the value must be, in one sentence. Never repeats the value.',
  }),
})

/** Fields that only some problem codes have. clients/generate/model.ts parses the codes. */
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)
const ofCodes = {
  organizations: optional(
    Type.Array(Type.Object({ id: idOf('organization'), name: Type.String() }), {
      description: 'With `organization_required`: the organizations that granted access.',
    }),
  ),
  required_scope: optional(
    oneOf(allScopes, { description: 'With `insufficient_scope`: the missing scope.' }),
  ),
  granted_scopes: optional(
    Type.Array(oneOf(allScopes), {
      description: 'With `insufficient_scope`: the scopes you have.',
    }),
  ),
  missing: optional(
    Type.Array(Type.String(), {
      description: 'With `consent_required`: the kinds of consent to record.',
    }),
  ),
  resource: optional(
    Type.Object(
      { type: Type.String(), id: Type.String() },
      { description: 'With `invalid_transition`: the resource.' },
    ),
  ),
  current_status: optional(
    Type.String({
      description: 'With `invalid_transition` and `export_not_ready`: its current status.',
    }),
  ),
  allowed_from: optional(
    Type.Array(Type.String(), {
      description: 'With `invalid_transition`: the statuses that allow the operation.',
    }),
  ),
  orders: optional(
    Type.Array(Type.Object({ id: idOf('order'), status: Type.String() }), {
      description: "With `invalid_transition` from a sandbox operation: the case's orders.",
    }),
  ),
  starts_at: optional(moment({ description: 'With `slot_unavailable`: the requested start.' })),
  opens_at: optional(moment({ description: 'With `join_not_open`: when joining opens.' })),
  closes_at: optional(moment({ description: 'With `join_not_open`: when joining closes.' })),
  expires_at: optional(moment({ description: 'With `gone`: when the download expired.' })),
  limit: optional(
    Type.Integer({
      description: 'With `endpoint_limit_reached`: the maximum number of endpoints.',
    }),
  ),
  limit_bytes: optional(
    Type.Integer({ description: 'With `payload_too_large`: the maximum size in bytes.' }),
  ),
}

export const ProblemBody = named('Problem', 'An error, as `application/problem+json` (RFC 9457).', {
  type: Type.String({ format: 'uri' }),
  title: Type.String({ description: 'The same for every occurrence of the code.' }),
  status: Type.Integer({ description: 'The HTTP status.' }),
  detail: Type.String({
    description: 'What is wrong with this request. Never contains patient data.',
  }),
  code: openWord(problemCodesOf('v1'), { description: 'A stable code to branch on.' }),
  request_id: idOf('request', { description: 'The same as the Request-Id header.' }),
  hint: Type.Optional(Type.String({ description: 'What to do next.' })),
  errors: Type.Optional(Type.Array(FieldError, { minItems: 1, maxItems: limits.faultsMax })),
  ...ofCodes,
})

/** The two parameters of every list of `noun`. */
export const page = (noun: Parameters<typeof idOf>[0]) => ({
  limit: Type.Optional(
    whole(1, limits.pageMax, { default: limits.pageDefault, description: 'Items per page.' }),
  ),
  starting_after: Type.Optional(
    idOf(noun, {
      'x-cursor': true,
      description:
        'The ID of the last item you received, even if that item has since been deleted.',
    }),
  ),
})
