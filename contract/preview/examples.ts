// One example of each schema that only the preview has.

import type { Static } from 'typebox'
import { ids } from '../examples/resources.ts'
import type { Request } from './requests.ts'

const request: Static<typeof Request> = {
  id: ids.request,
  created_at: '2026-11-20T15:04:07.000Z',
  mode: 'test',
  organization: ids.organization,
  credential: { id: 'key_01m3vb29m0j7h2s4y0n7c6w1pa', name: 'Backend', last4: '4kQz' },
  surface: 'rest',
  operation: 'createCase',
  method: 'POST',
  path: '/v1/cases',
  target: ids.case,
  status: 201,
  code: null,
  replayed: false,
  duration_ms: 9,
}

/** By the name of the schema. */
export const previewSchemaExamples: Readonly<Record<string, unknown>> = { Request: request }
