// The article on photos, each with its test.
import type { Proofs } from '../../proof.ts'

export const photosArticle: Proofs = {
  'articles/photos-and-files.md': [
    [
      'A PNG that was announced as a PDF is refused, with 400',
      'clinical/files/upload.test.ts',
      '400: the bytes are of another type than declared; a corrected upload is accepted',
    ],
    [
      'They are part of the signature, and storage refuses an upload without them',
      'clinical/files/upload.test.ts',
      'is refused when a header of the reservation is missing or different',
    ],
    [
      'its record is removed; its bytes were never kept | you get 404; the clinic keeps the photo',
      'clinical/patients/delete-in-live.test.ts',
      'deletePatient in live: cases are withdrawn and stay readable, documents stay with the clinic',
    ],
    [
      '| an export that held a link to it | removed | removed, and the link ends |',
      'clinical/exports/exports.test.ts',
      'an export whose patient was deleted, also when it was still pending',
    ],
    [
      'The clinic keeps that it was there, who removed it, when and why',
      'clinical/console/files.test.ts',
      'asked for and confirmed: link, case and bytes lose it; who, when and why stay',
    ],
    [
      'A live case with a non-empty `files` is refused',
      'clinical/cases/create-refused.test.ts',
      'live refuses files in createCase, and the hint says what to do instead',
    ],
    [
      'Until you confirm it, the upload may be repeated, and the last bytes win',
      'clinical/files/upload.test.ts',
      'sets size_bytes and can be repeated until the file is confirmed',
    ],
    [
      'In live mode the bytes are looked at when you confirm, and must be what was declared',
      'clinical/files/upload.test.ts',
      '400: the bytes are of another type than declared; a corrected upload is accepted',
    ],
    [
      "The patient must be the reservation's",
      'clinical/files/files.test.ts',
      '400: patient, kind and filename are required, and patient must match the reservation',
    ],
    [
      "the reservation's id answers 404 from then on",
      'clinical/files/upload.test.ts',
      '200: the document has a new id, and the reservation is gone',
    ],
    [
      'Confirming without having uploaded is accepted in the sandbox',
      'clinical/files/files.test.ts',
      '200: test mode does not require uploaded bytes',
    ],
    [
      'A confirmed file is an event, `file.attached.v1`',
      'clinical/files/files.test.ts',
      '200: the file keeps its id, is attached to its case and has one event',
    ],
    [
      'For you `GET` answers 404, its case does not list it, and its links end',
      'clinical/console/files.test.ts',
      'asked for and confirmed: link, case and bytes lose it; who, when and why stay',
    ],
    [
      'While a legal hold is on the record, neither is done',
      'clinical/console/files.test.ts',
      'while a legal hold is on the record, a removal is asked for and not confirmed',
    ],
    [
      'A clinic that has set no policy destroys nothing',
      'console/pages/records/records.test.ts',
      'retention: no policy destroys nothing; one that is set counts in thirty days and lists what falls due',
    ],
    [
      'In the sandbox `DELETE` on a file removes it',
      'clinical/files/files.test.ts',
      '200: the file is deleted and removed from its case',
    ],
    [
      'The patient, the cases with their messages, the orders and the files go',
      'clinical/records/destruction.test.ts',
      'retention: a destroyed record leaves no row but the audit and rows that hold its ids alone',
    ],
    [
      'In the sandbox the id stays',
      'clinical/files/files.test.ts',
      '200: the file keeps its id, is attached to its case and has one event',
    ],
    [
      'There is a second way, in the sandbox only',
      'clinical/files/races.test.ts',
      '201: attached files without a case are assigned to the case',
    ],
    [
      'It stands at `received`, where no clinician sees it',
      'clinical/cases/create.test.ts',
      'with hold the case is received, not queued',
    ],
    ['It becomes `queued`', 'clinical/cases/move.test.ts', 'releaseCase does not change hold'],
    [
      'Nothing releases it by itself',
      'clinical/sandbox/run-autopilot.test.ts',
      'skips held and waiting cases, blocked orders and other integrations',
    ],
    [
      'Now it is part of the case',
      'clinical/files/files.test.ts',
      '200: the file keeps its id, is attached to its case and has one event',
    ],
    [
      'The answer names where to put it, and how',
      'clinical/files/files.test.ts',
      '201: returns the upload URL, the headers to send and the expiry',
    ],
    [
      'The address needs no key',
      'clinical/files/upload.test.ts',
      'must use PUT and may be sent by pages of any origin',
    ],
    [
      'So a retry after a lost connection is always safe',
      'clinical/files/upload.test.ts',
      'sets size_bytes and can be repeated until the file is confirmed',
    ],
    [
      'Four types: `application/pdf`, `image/jpeg`, `image/png`, `image/heic`',
      'clinical/files/sniff.test.ts',
      'file types: %s',
    ],
    ["The file's name decides nothing", 'clinical/files/sniff.test.ts', 'file types: %s'],
    [
      'Then it is opened by an isolated process, within seconds and outside of your call',
      'clinical/files/scan.test.ts',
      'scan: a document waits for it, and is clean with its pages after it',
    ],
    [
      'Staff see the reason and ask the patient for another one',
      'console/pages/files/files.test.ts',
      'a case says which of its documents is shown to no one',
    ],
    [
      "The bytes and the file's name go",
      'clinical/console/files.test.ts',
      'asked for and confirmed: link, case and bytes lose it; who, when and why stay',
    ],
    [
      'Events, charges and the audit stay, and a count of what was destroyed',
      'clinical/records/destruction.test.ts',
      'retention: a destroyed record leaves no row but the audit and rows that hold its ids alone',
    ],
    [
      '| a reservation that was not confirmed | removed | removed, with the bytes that had arrived |',
      'clinical/files/cleanup.test.ts',
      'cleanup: deleting a live patient removes what is no record: bundles and reserved uploads',
    ],
    [
      'It ends within the hour, and the bytes with it',
      'clinical/files/cleanup.test.ts',
      'cleanup: reservations expire after an hour and bundles after a day; the export stays readable',
    ],
    [
      '`Content-Length` is there because `size_bytes` was given; a browser writes it by',
      'clinical/files/files.test.ts',
      '201: returns the upload URL, the headers to send and the expiry',
    ],
    [
      'The API does not say so.',
      'console/pages/files/files.test.ts',
      'a case says which of its documents is shown to no one',
    ],
    [
      'One that asserts "the id did not change" passes in the sandbox and fails on the first',
      'clinical/files/upload.test.ts',
      '200: the document has a new id, and the reservation is gone',
    ],
    [
      'In live mode it answers 501 `live_not_available`, for every id, whether it exists or',
      'clinical/files/files.test.ts',
      '501 in live for every id, before any other check',
    ],
    [
      'Names of files and ids are in your own tables, and an export that you downloaded has',
      'clinical/exports/exports.test.ts',
      '201: an export is pending, is completed by the worker and can be downloaded',
    ],
    [
      "stays readable; the file's id in it answers 404",
      'clinical/patients/delete-in-live.test.ts',
      'deletePatient in live: cases are withdrawn and stay',
    ],
  ],
}
