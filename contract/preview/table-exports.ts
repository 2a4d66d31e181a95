// Table exports: one snapshot of all of an integration's rows in one clinic, for a data warehouse.

import { Type } from 'typebox'
import { page } from '../api/answers.ts'
import { Export } from '../api/exports.ts'
import { limits } from '../limits.ts'
import { definePreview } from '../operation.ts'
import { closed, listOf, moment, named, nullable, oneOf } from '../shapes.ts'

/** The tables in an export, and the fields that an export without identity omits. */
export const exportTables = {
  patients: [
    'external_id',
    'first_name',
    'middle_name',
    'last_name',
    'date_of_birth',
    'email',
    'phone',
    'address',
  ],
  consents: [],
  files: ['filename'],
  cases: ['answers', 'plan', 'question', 'reason'],
  messages: ['body'],
  prescriptions: ['directions'],
  orders: ['ship_to', 'tracking', 'reason'],
  visits: [],
} as const satisfies Record<string, readonly string[]>

export type ExportTable = keyof typeof exportTables
export const exportTableNames = Object.keys(exportTables) as ExportTable[]

const leftOut = exportTableNames
  .filter(table => exportTables[table].length > 0)
  .map(table => `${table} (${exportTables[table].map(field => `\`${field}\``).join(', ')})`)
  .join(', ')

const include_identity = Type.Boolean({
  description:
    'Whether the files identify patients. If false, they leave out fields that identify a ' +
    `patient or hold free text: ${leftOut}. A patient then has \`state\` and \`birth_year\`, which ` +
    'is null from age 90.',
})

const tillCompleted = 'null until the export is completed.'
const members = {
  id: Export.properties.id,
  status: Export.properties.status,
  include_identity,
  nightly: Type.Boolean({ description: 'Whether the schedule created it, rather than a request.' }),
  created_at: moment(),
  as_of: nullable(moment(), {
    description: `Every file has the data as of this time. ${tillCompleted}`,
  }),
  expires_at: nullable(moment(), {
    description: `When the files are deleted: ${limits.exportHours} hours after as_of. ${tillCompleted}`,
  }),
}

export const TableExport = named('TableExport', 'An export of all tables.', members)

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const TableExportManifest = named(
  'TableExportManifest',
  'An export of all tables, with its files.',
  {
    ...members,
    tables: Type.Array(
      Type.Object({
        name: oneOf(exportTableNames),
        rows: count('Number of lines in the file.'),
        size_bytes: count('Size of the file.'),
        sha256: Type.String({ description: "The file's SHA-256 digest, in hexadecimal." }),
        url: nullable(Type.String({ format: 'uri' }), {
          description:
            'Where to download the file, without a credential and with Range. Works for ' +
            `${limits.tableLinkMinutes} minutes; read the export again for new links. null once ` +
            'the files are deleted.',
        }),
      }),
      { description: 'One NDJSON file for each table. Empty until the export is completed.' },
    ),
  },
)

const ExportSchedule = named('ExportSchedule', 'Whether a table export is created every night.', {
  nightly: Type.Boolean(),
  include_identity,
  next_at: nullable(moment(), { description: 'When the next one starts. null if off.' }),
})

const row = {
  tag: 'Table exports',
  scope: 'patients:read',
  alsoNeeds: ['cases:read', 'visits:read'],
  mode: 'both',
  tool: false,
} as const
const schedule = { ...row, path: '/preview/export_schedule', status: 200 } as const
const choice = Type.Optional({ ...include_identity, default: false })

export const tableExports = definePreview({
  createTableExport: {
    ...row,
    method: 'POST',
    path: '/preview/exports/tables',
    summary: 'Export all of your tables now.',
    description:
      'A worker writes one NDJSON file for each table, all as of one time. Each line is a resource ' +
      'as `/v1` returns it, ascending by ID. Poll `GET /preview/exports/tables/{id}` until it is ' +
      'completed. One export at a time can be pending.',
    body: closed({ include_identity: choice }),
    quota: 'exports',
    status: 201,
    returns: TableExport,
    refuses: ['invalid_transition'],
  },
  listTableExports: {
    ...row,
    method: 'GET',
    path: '/preview/exports/tables',
    summary: 'List your table exports.',
    query: closed(page('export')),
    status: 200,
    returns: listOf(TableExport),
  },
  getTableExport: {
    ...row,
    method: 'GET',
    path: '/preview/exports/tables/{id}',
    summary: 'Read a table export and where its files are.',
    status: 200,
    returns: TableExportManifest,
  },
  getExportSchedule: {
    ...schedule,
    method: 'GET',
    summary: 'Read whether tables are exported every night.',
    returns: ExportSchedule,
  },
  setExportSchedule: {
    ...schedule,
    method: 'POST',
    summary: 'Export all of your tables every night, or stop.',
    description:
      `A nightly export starts at ${limits.nightlyExportHourUtc}:00 UTC, by the ` +
      "sandbox's clock in test mode, for the organization your credential acts for.",
    body: closed({ nightly: Type.Boolean(), include_identity: choice }),
    returns: ExportSchedule,
  },
})
