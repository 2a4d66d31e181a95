// The rows for the health check, in the format of draft-inadarei-api-health-check, and the status.
import { Type } from 'typebox'
import { moment, named, nullable, oneOf } from '../shapes.ts'
import { defineSite } from './operation.ts'

const words = (description: string) => Type.String({ description })

const Health = named(
  'Health',
  'In the format of the draft “Health Check Response Format for HTTP APIs”.',
  {
    status: oneOf(['pass', 'warn', 'fail']),
    version: words('The API version.'),
    serviceId: words('The service ID.'),
    description: words('The service name.'),
    checks: Type.Record(
      Type.String({ pattern: '^[a-z]+:[A-Za-z]+$' }),
      Type.Array(
        Type.Object({
          componentType: words('The kind of component.'),
          status: oneOf(['pass', 'warn', 'fail']),
          time: moment({ description: 'When the component was checked.' }),
          observedValue: Type.Optional(Type.Unknown({ description: 'The observed value.' })),
          observedUnit: Type.Optional(words('The unit of observedValue.')),
          output: Type.Optional(words('What is wrong, if status is not pass.')),
        }),
      ),
    ),
    links: Type.Record(Type.String(), Type.String({ format: 'uri' })),
  },
)
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

const Day = Type.Object({
  date: Type.String({ format: 'date', description: 'A day in UTC.' }),
  passed: Type.Integer({ description: 'Checks that passed.' }),
  warned: Type.Integer({ description: 'Checks that found the part degraded.' }),
  failed: Type.Integer({ description: 'Checks that failed.' }),
})

const Status = named('Status', 'The status of each part of the platform, checked once a minute.', {
  status: nullable(oneOf(['pass', 'warn', 'fail']), {
    description: 'The worst status of any part. null before the first check.',
  }),
  checked_at: nullable(moment({ description: 'When the parts were checked.' })),
  parts: Type.Array(
    Type.Object({
      name: words('The name of the part.'),
      title: words('A human-readable name.'),
      status: oneOf(['pass', 'warn', 'fail']),
      output: nullable(words('What is wrong, if status is not pass.')),
      days: nullable(Type.Array(Day), {
        description:
          'The days measured in the last ninety, oldest first. Absent days were not measured. null if the history cannot be read.',
      }),
    }),
  ),
})
const status = {
  status: 'pass',
  checked_at: '2026-11-20T18:30:00.000Z',
  parts: [
    {
      name: 'api',
      title: 'Clinical API and booking',
      status: 'pass',
      output: null,
      days: [{ date: '2026-11-20', passed: 1109, warned: 0, failed: 1 }],
    },
  ],
}

export const healthOperations = defineSite({
  status: {
    method: 'GET',
    path: '/api/status',
    tag: 'Health',
    form: 'problem',
    summary: 'Read the status of each part, now and in the past.',
    description:
      'The data on the /status page. The gateway that responds checks its parts once a minute. Counts from all gateways are kept for ninety days.',
    answers: [
      {
        status: 200,
        description: 'Every part, whatever its status.',
        content: { 'application/json': { schema: Status, example: status } },
      },
    ],
    examples: { now: { summary: 'Now', status: 200 } },
  },
  health: {
    method: 'GET',
    path: '/api/health',
    tag: 'Health',
    form: 'problem',
    summary: 'Check the health of the service.',
    description: 'Dependencies are checked on request, at most once every two seconds.',
    answers: [
      {
        status: 200,
        description: '`pass`, or `warn` if something is degraded.',
        content: { 'application/health+json': { schema: Health, example: health } },
      },
      {
        status: 503,
        description: '`fail`: something the endpoints need is unavailable.',
        content: {
          'application/health+json': { schema: Health, example: { ...health, status: 'fail' } },
        },
      },
    ],
    examples: { now: { summary: 'Now', status: 200 } },
  },
})
