// The clinic a credential acts for, and its medication catalog.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { define, modes } from '../operation.ts'
import { allScopes } from '../scopes.ts'
import { closed, idOf, listOf, named, oneOf, openWord, text, whole } from '../shapes.ts'
import { page } from './answers.ts'

export const Organization = named(
  'Organization',
  'A clinic your integration acts for. Never send real patient information to test mode.',
  {
    id: idOf('organization'),
    name: text(1, 200),
    slug: Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 63 }),
    kind: openWord(['DIRECT']),
    status: openWord(['active']),
    mode: oneOf(modes),
    scopes: Type.Array(oneOf(allScopes), {
      description: "The credential's scopes that the organization granted.",
    }),
  },
)

const categories = [
  'weight_management',
  'sexual_health',
  'hair_loss',
  'dermatology',
  'contraception',
  'menopause',
  'mental_health',
  'sleep',
  'primary_care',
  'acute_care',
]

export const Medication = named('Medication', 'A catalog entry.', {
  medication_id: idOf('medication'),
  name: text(1, 200, { description: 'The generic name.' }),
  form: text(1, 60),
  strength: text(1, 60),
  category: openWord(categories),
  unit: text(1, 60, { description: 'The unit that quantities are counted in.' }),
  default_quantity: whole(1, 1000),
  max_quantity: whole(1, 1000, { description: 'Larger quantities are refused.' }),
  default_days_supply: whole(1, limits.daysSupplyMax),
  default_directions: text(1, 500),
  dispensable: Type.Boolean({
    description: 'If false, the medication can be on a plan but is never filled.',
  }),
  controlled: Type.Boolean({
    description: 'Always false. The catalog has no controlled substances.',
  }),
})

export const organization = define({
  getOrganization: {
    method: 'GET',
    path: '/v1/organization',
    tag: 'Organization',
    scope: 'organization:read',
    mode: 'both',
    tool: true,
    summary: 'Read the organization you act for and your scopes there.',
    status: 200,
    returns: Organization,
  },
  listMedications: {
    method: 'GET',
    path: '/v1/medications',
    tag: 'Organization',
    scope: 'organization:read',
    mode: 'both',
    tool: true,
    summary: 'List the medications you can request.',
    description: 'In live mode, only the medications the clinic dispenses.',
    query: closed(page('medication')),
    status: 200,
    returns: listOf(Medication),
  },
  getMedication: {
    method: 'GET',
    path: '/v1/medications/{medication_id}',
    tag: 'Organization',
    scope: 'organization:read',
    mode: 'both',
    tool: false,
    summary: 'Read a medication.',
    status: 200,
    returns: Medication,
  },
})
