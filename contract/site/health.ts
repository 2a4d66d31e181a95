// The row of the health check, in the format of draft-inadarei-api-health-check.
import { Type } from 'typebox'
import { moment, named, oneOf } from '../shapes.ts'
import { defineSite } from './operation.ts'

const words = (description: string) => Type.String({ description })

const Health = named('Health', 'In the form of the health check draft.', {
  status: oneOf(['pass', 'warn', 'fail']),
  version: words('Of the API.'),
  serviceId: words('Which service this is.'),
  description: words('The same, for people.'),
  checks: Type.Record(
    Type.String({ pattern: '^[a-z]+:[A-Za-z]+$' }),
    Type.Array(
      Type.Object({
        componentType: words('What kind of thing was looked at.'),
        status: oneOf(['pass', 'warn', 'fail']),
        time: moment({ description: 'When it was looked at.' }),
        observedValue: Type.Optional(Type.Unknown({ description: 'What was seen.' })),
        observedUnit: Type.Optional(words('In which unit.')),
        output: Type.Optional(words('What it means, where it is not well.')),
      }),
    ),
  ),
  links: Type.Record(Type.String(), Type.String({ format: 'uri' })),
})
const health = {
  status: 'pass',
  version: '2026-08-23',
  serviceId: 'site-content-api',
  description: 'Example Health: site content API',
  checks: {
    'site:articles': [
      {
        componentType: 'component',
        status: 'pass',
        observedValue: 16,
        observedUnit: 'articles',
        time: '2026-11-20T18:30:00.000Z',
      },
    ],
  },
  links: { about: 'https://example.com/developers' },
}

export const healthOperations = defineSite({
  health: {
    method: 'GET',
    path: '/api/health',
    tag: 'Health',
    form: 'problem',
    summary: 'Whether the house is well.',
    description:
      'What it depends on is looked at when somebody asks, and not again within two seconds.',
    answers: [
      {
        status: 200,
        description: '`pass`; or `warn` where something is worse than it should be.',
        content: { 'application/health+json': { schema: Health, example: health } },
      },
      {
        status: 503,
        description: '`fail`: something that endpoints need is not there.',
        content: {
          'application/health+json': { schema: Health, example: { ...health, status: 'fail' } },
        },
      },
    ],
    examples: { now: { summary: 'Now', status: 200 } },
  },
})
