import type { problems } from '../generated/sandbox.ts'
import type { FieldError } from '../generated/schemas/problems.ts'

export type RefusalFields = {
  detail?: string
  errors?: FieldError[]
  [member: string]: unknown
}

/** A problem response from the in-process sandbox. */
export class Refusal extends Error {
  readonly code: keyof typeof problems
  readonly fields: RefusalFields

  constructor(code: keyof typeof problems, fields: RefusalFields = {}) {
    super(code)
    this.code = code
    this.fields = fields
  }
}

export const invalid = (pointer: string, code: string, message: string) =>
  new Refusal('invalid_request', {
    detail: '1 value in the request is not valid.',
    errors: [{ pointer, code, message }],
  })
