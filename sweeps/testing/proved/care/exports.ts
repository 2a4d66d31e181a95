// The guide to exports, each with its test.
import type { Proofs } from '../../proof.ts'

export const exports: Proofs = {
  'docs/exports.md': [
    [
      'A deleted patient cannot be exported by you',
      'clinical/exports/exports.test.ts',
      'an export whose patient was deleted, also when it was still pending',
    ],
    [
      'in live mode it keeps the record of a patient whom you deleted, and its console makes a copy of it',
      'clinical/records/export.test.ts',
      'record export: the clinic exports a patient whom the integration deleted',
    ],
    [
      'a file that you already have is a 304 without a body',
      'sweeps/exports.test.ts',
      'export: If-None-Match with the ETag of the download gets 304',
    ],
    [
      'It answers a job, and the job alone',
      'clinical/exports/exports.test.ts',
      '201: an export is pending, is completed by the worker and can be downloaded',
    ],
    [
      'In live mode the bundle is made before the answer, and the job is `completed` at once',
      'clinical/exports/exports.test.ts',
      '201: an export is completed at once, with a link for each document',
    ],
    [
      "The same job is found below its patient, where no other patient's id finds it",
      'clinical/exports/exports.test.ts',
      'an export of another patient, of another integration and of the other mode',
    ],
    [
      '`HEAD` says what is to come, before you fetch it',
      'sweeps/exports.test.ts',
      'export: HEAD of a download has the length without reading the file',
    ],
    [
      'Two downloads of one export are the same bytes, whatever has changed since, and have the same `ETag`',
      'sweeps/exports.test.ts',
      'export: a download has stable bytes, a known length and working document links',
    ],
    [
      'ends sooner when the clinic takes its grant back or removes the document',
      'clinical/files/documents.test.ts',
      'document link 404: %s has ended',
    ],
    [
      'The key of another integration always gets `not_found`',
      'clinical/exports/exports.test.ts',
      'an export of another patient, of another integration and of the other mode',
    ],
    [
      'Each download is in the audit',
      'clinical/sweeps/every-operation.test.ts',
      '${id} returns what its row declares, and writes one audit row and only its own events',
    ],
    [
      '| `failed` | 200 | 409 `export_not_ready`, without it |',
      'clinical/exports/exports.test.ts',
      'an export whose worker died is retried when its claim expires, and fails after three claims',
    ],
    [
      '| `cases`, `consents`, `files`, `prescriptions`, `orders` | every one, oldest first |',
      'clinical/exports/exports.test.ts',
      'a bundle of several database pages has each record once, in order of id',
    ],
    [
      '| after that | 200 `completed`, `expires_at` in the past | 410 `gone` |',
      'clinical/exports/exports.test.ts',
      'downloadExport 410 after 24 hours; the export still reads completed',
    ],
    [
      'There is no event for it',
      'clinical/exports/exports.test.ts',
      '201: an export is pending, is completed by the worker and can be downloaded',
    ],
    [
      '`url` needs your key, with `patients:read`',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a key with every scope but ${scope}',
    ],
    [
      'so that your program meets a job that is not ready',
      'clinical/exports/exports.test.ts',
      '201: an export is pending, is completed by the worker and can be downloaded',
    ],
    [
      'It tells of one moment, `created_at`: nothing in it is newer, and nothing is half changed',
      'clinical/exports/killed.test.ts',
      'exports: what is written between two pages is in none of them',
    ],
    [
      'One JSON file, and the text of each record is the one that the API answers',
      'clinical/exports/exports.test.ts',
      '201: an export is pending, is completed by the worker and can be downloaded',
    ],
    [
      '| `documents` | one entry for each file: its name, its type, and a link to its bytes |',
      'clinical/exports/exports.test.ts',
      '201: an export is completed at once, with a link for each document',
    ],
    [
      "A link in `documents` is good until the export's `expires_at`, and needs no key",
      'sweeps/exports.test.ts',
      'export: a download has stable bytes, a known length and working document links',
    ],
    [
      'In the sandbox `url` is null, because the sandbox keeps no bytes',
      'clinical/exports/exports.test.ts',
      '201: an export is pending, is completed by the worker and can be downloaded',
    ],
    [
      '| `pending` | 200 | 409 `export_not_ready`, with `Retry-After` |',
      'clinical/exports/exports.test.ts',
      '201: an export is pending, is completed by the worker and can be downloaded',
    ],
    [
      'messages, video visits and charges are not in it',
      'clinical/exports/exports.test.ts',
      '201: an export is pending, is completed by the worker and can be downloaded',
    ],
    [
      'A photo that the clinic has removed is in neither copy',
      'clinical/console/files.test.ts',
      'asked for and confirmed: link, case and bytes lose it; who, when and why stay',
    ],
    [
      '| `export_not_ready` with `Retry-After` | it is being made |',
      'clinical/exports/exports.test.ts',
      '201: an export is pending, is completed by the worker and can be downloaded',
    ],
    [
      '| `export_not_ready` without | it failed |',
      'clinical/exports/exports.test.ts',
      'an export whose worker died is retried when its claim expires, and fails after three claims',
    ],
    [
      'A job that is `failed` stays so.',
      'clinical/exports/exports.test.ts',
      'an export whose worker died is retried when its claim expires, and fails after',
    ],
    [
      'It ends where there is no `Retry-After`: the export has failed, or its day is over.',
      'clinical/exports/exports.test.ts',
      'an export whose worker died is retried when its claim expires, and fails after',
    ],
    [
      '| `export`, `organization`, `mode`, `created_at` | what this file is |',
      'sweeps/article-claims.test.ts',
      'exports: the guide says what the bundle lacks, and the bundle lacks it',
    ],
    [
      '| messages | the [thread](/docs/messages-and-questions) of each case, `GET',
      'sweeps/article-claims.test.ts',
      'exports: the guide says what the bundle lacks, and the bundle lacks it',
    ],
    [
      '| video visits | `GET /v1/visits/{id}`, by the ids that you kept; there is no list |',
      'sweeps/absence-claims.test.ts',
      'visits: no operation lists them',
    ],
    [
      '| events | `GET /v1/cases/{id}/events`, and the stream |',
      'sweeps/article-claims.test.ts',
      'exports: the guide says what the bundle lacks, and the bundle lacks it',
    ],
    [
      "| the clinic's own chart | at the clinic; this API never has it |",
      'sweeps/article-claims.test.ts',
      'exports: the guide says what the bundle lacks, and the bundle lacks it',
    ],
    [
      'So export first where a patient asks for a copy and to be deleted.',
      'clinical/exports/exports.test.ts',
      'an export whose patient was deleted, also when it was still pending',
    ],
    [
      'The call takes no body',
      'contract/contract.test.ts',
      '%s: keeps the conventions of its method, scope and mode',
    ],
    [
      'a new export leaves the older ones as they are',
      'clinical/exports/exports.test.ts',
      '201: an export is pending, is completed by the worker',
    ],
    [
      'they name a visit and no patient',
      'clinical/billing/ledger.test.ts',
      'a completed visit is charged, and the event embeds',
    ],
  ],
}
