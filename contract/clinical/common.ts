// Schemas that belong to no single resource: the address, the answer of a DELETE, and refusals.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { closed, idOf, named, nullable, oneOf, text, whole } from '../shapes.ts'

/** USPS codes of the 50 states and DC. */
export const states = (
  'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO ' +
  'MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY'
).split(' ')

const addressFields = {
  line1: text(1, 100),
  line2: nullable(text(1, 100)),
  city: text(1, 60),
  state: oneOf(states, { description: 'USPS code: the 50 states and DC.' }),
  postal_code: Type.String({ pattern: '^\\d{5}(-\\d{4})?$' }),
  country: oneOf(['US']),
}

export const Address = named('Address', 'A US address.', addressFields)

/** An address as it is sent: the second line and the country may be left out. */
export const AddressInput = closed({
  ...addressFields,
  line2: Type.Optional(nullable(text(1, 100, { default: null }))),
  country: Type.Optional(oneOf(['US'], { default: 'US' })),
})

export const Deleted = named('Deleted', 'The answer of every DELETE.', {
  id: Type.String({ description: 'The id in the path.' }),
  deleted: Type.Literal(true),
})

export const FieldError = named('FieldError', 'One fault of one request value.', {
  pointer: Type.String({
    description: '`#/a/0/b` into the body, `?name` for a query parameter.',
  }),
  code: Type.String({ description: 'What is wrong; stable.' }),
  message: Type.String({ description: 'One sentence. No value is echoed.' }),
})

export const ProblemBody = named('Problem', 'An error, `application/problem+json` (RFC 9457).', {
  type: Type.String({ format: 'uri' }),
  title: Type.String({ description: 'Fixed per code.' }),
  status: Type.Integer({ description: 'The HTTP status.' }),
  detail: Type.String({ description: 'This occurrence. No patient data.' }),
  code: Type.String({ description: 'Stable. Branch on it.' }),
  request_id: idOf('request', { description: 'Equals the Request-Id header.' }),
  hint: Type.Optional(Type.String({ description: 'What to do next.' })),
  errors: Type.Optional(Type.Array(FieldError, { minItems: 1, maxItems: limits.faultsMax })),
})

/** The two parameters of every list. `noun` is what the list holds, and so what a cursor names. */
export const page = (noun: Parameters<typeof idOf>[0]) => ({
  limit: Type.Optional(
    whole(1, limits.pageMax, { default: limits.pageDefault, description: 'Items a page.' }),
  ),
  starting_after: Type.Optional(
    idOf(noun, {
      'x-cursor': true,
      description: 'The id of the last item seen. It is a position: its row may be gone.',
    }),
  ),
})
