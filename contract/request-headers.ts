// Request headers, each with the API whose document lists it.

import { ids } from './examples/resources.ts'
import type { HeaderRow } from './headers.ts'
import { idPattern, prefixes } from './ids.ts'
import { apiVersion, limits } from './limits.ts'
import { siteVersion, siteVersions } from './versions.ts'

/** Headers that a caller can or must send. */
export const requestHeaders: readonly HeaderRow[] = [
  {
    api: 'clinical',
    on: 'write',
    name: 'Idempotency-Key',
    required: true,
    description:
      'A key of your choice for this request, such as a UUID. Send the same key when you ' +
      'retry: the request takes effect once, and you get the first response again. Keys are kept for ' +
      `at least ${limits.idempotencyHoursPromised} hours.`,
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: limits.idempotencyKeyLengthMax,
      pattern: '^[\\x21-\\x7e]+$',
    },
    example: '7b1c9a52-5d0e-4f6b-9a53-2f7f0b6f2c11',
  },
  {
    api: 'clinical',
    on: 'every',
    name: 'Service-Organization',
    required: false,
    description: 'The organization to act for. Optional if only one has granted access.',
    schema: { type: 'string', pattern: idPattern(prefixes.organization) },
    example: ids.organization,
  },
  {
    api: 'clinical',
    on: 'every',
    name: 'API-Version',
    required: false,
    description: 'The API version to use. Default: the current version.',
    schema: { type: 'string', enum: [apiVersion] },
    example: apiVersion,
  },
  {
    api: 'site',
    on: 'every',
    name: 'API-Version',
    required: false,
    description: 'The API version to use. Default: the newest version.',
    schema: { type: 'string', enum: siteVersions.map(({ version }) => version) },
    example: siteVersion,
  },
  {
    api: 'site',
    on: 'write',
    name: 'Idempotency-Key',
    required: false,
    description:
      'A key of your choice for this request, with or without double quotes. Echoed in the response.',
    schema: { type: 'string', minLength: 1, maxLength: 257 },
    example: '7b1c9a52-5d0e-4f6b-9a53-2f7f0b6f2c11',
  },
]
