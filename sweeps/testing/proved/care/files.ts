// What is said of files, each with its test.
import type { Proofs } from '../../proof.ts'

export const files: Proofs = {
  'docs/files.md': [
    [
      'A `size_bytes` that you give is signed, and no other size is accepted',
      'clinical/storage/s3.test.ts',
      'is refused by the bucket when anything signed is changed',
    ],
    [
      'A live case with a non-empty `files` is refused',
      'clinical/cases/create-refused.test.ts',
      'live refuses files in createCase, and the hint says what to do instead',
    ],
    [
      '| the bytes | measured, and kept nowhere |',
      'clinical/files/upload.test.ts',
      'uploads: test mode stores no bytes',
    ],
    [
      'kept, and looked at when you confirm |',
      'clinical/files/upload.test.ts',
      '400: the bytes are of another type than declared; a corrected upload is accepted',
    ],
    [
      'The clinic is shown pictures of its pages, never the file',
      'clinical/viewer/viewer.test.ts',
      'each page of a PDF is an image of its own',
    ],
    [
      'its case does not list it, its links end, and its bytes are deleted',
      'clinical/files/files.test.ts',
      '200: the file is deleted and removed from its case',
    ],
    [
      'Without them, storage refuses it',
      'clinical/files/upload.test.ts',
      'is refused when a header of the reservation is missing or different',
    ],
    [
      'then the reservation ends, and the bytes with it',
      'clinical/files/races.test.ts',
      'uploads: a reservation that %s during its upload keeps no bytes',
    ],
    [
      'The clinic keeps the fact that it was there',
      'clinical/console/files.test.ts',
      'asked for and confirmed: link, case and bytes lose it; who, when and why stay',
    ],
    [
      'A clinic removes a document with a reason',
      'clinical/console/files.test.ts',
      'a reason is needed',
    ],
    [
      'So a retry after a lost connection is always safe',
      'clinical/files/upload.test.ts',
      'sets size_bytes and can be repeated until the file is confirmed',
    ],
    [
      '`size_bytes` is what storage measured, and null while nothing has arrived',
      'clinical/files/upload.test.ts',
      'sets size_bytes and can be repeated until the file is confirmed',
    ],
    [
      'The patient must be that of the reservation',
      'clinical/files/files.test.ts',
      '400: patient, kind and filename are required, and patient must match the reservation',
    ],
    [
      'there was one event, `file.attached.v1`',
      'clinical/files/files.test.ts',
      '200: the file keeps its id, is attached to its case and has one event',
    ],
    [
      "In live mode it is a new one, and the reservation's id answers 404 from now on",
      'clinical/files/upload.test.ts',
      '200: the document has a new id, and the reservation is gone',
    ],
    [
      'In the sandbox you may name such documents in `files` when you file a case',
      'clinical/files/races.test.ts',
      '201: attached files without a case are assigned to the case',
    ],
    [
      'until it has been read no one at the clinic sees it',
      'clinical/console/files.test.ts',
      'nothing of a document is shown before its scan, and nothing of a refused one',
    ],
    [
      'its link in [an export](/docs/exports) answers 404',
      'clinical/files/documents.test.ts',
      'document link 404: %s has ended',
    ],
    [
      "the developers' email of your integration gets a message with the id of the document",
      'clinical/files/scan.test.ts',
      'scan: developers are emailed about malware, once, and about no other finding',
    ],
    [
      'A HEIC photo is judged by its bytes, and never by its name',
      'clinical/files/sniff.test.ts',
      'file types: %s',
    ],
    [
      '| confirm without an upload | accepted, with `size_bytes` null | 409 `upload_missing` |',
      'clinical/files/upload.test.ts',
      '409: no bytes were uploaded',
    ],
    [
      'accepted, with `size_bytes` null',
      'clinical/files/files.test.ts',
      '200: test mode does not require uploaded bytes',
    ],
    [
      '| a second confirm, with a new key | 409 `invalid_transition` | 404 `not_found` |',
      'clinical/files/files.test.ts',
      '409: a file is confirmed twice',
    ],
    [
      "| `not_found` | the reservation's hour is over, or in live it became a document |",
      'clinical/files/files.test.ts',
      '404: the reservation has expired; its upload URL answers 403',
    ],
    [
      '| `invalid_transition` | it is confirmed already, or its case is canceled or withdrawn |',
      'clinical/files/files.test.ts',
      '409: the case was withdrawn after the reservation',
    ],
    [
      '| bytes that are not the `mime` | not looked at | 400 at `#/mime` |',
      'clinical/files/upload.test.ts',
      '400: the bytes are of another type than declared; a corrected upload is accepted',
    ],
    [
      '| after confirm | nothing | scanned before anyone is shown it |',
      'clinical/console/files.test.ts',
      'nothing of a document is shown before its scan, and nothing of a refused one',
    ],
    [
      "| `mismatch` at `#/patient` | another patient than the reservation's |",
      'clinical/files/files.test.ts',
      '400: patient, kind and filename are required, and patient must match the reservation',
    ],
    [
      'its hour is over, or it is confirmed',
      'clinical/files/upload.test.ts',
      'sets size_bytes and can be repeated until the file is confirmed',
    ],
    [
      '`patient` and `mime` are required',
      'clinical/files/files.test.ts',
      '400: every member with a wrong value or an unknown reference',
    ],
    [
      'A PUT may be repeated until you confirm, and the last bytes win',
      'clinical/files/upload.test.ts',
      'sets size_bytes and can be repeated until the file is confirmed',
    ],
    [
      'It has left its case too',
      'clinical/files/files.test.ts',
      '200: the file is deleted and removed from its case',
    ],
    [
      '| the id after confirm | the same | a new one; the old one is 404 |',
      'clinical/files/upload.test.ts',
      '200: the document has a new id, and the reservation is gone',
    ],
    [
      '| `files` when a case is filed | attached ids | refused |',
      'clinical/cases/create-refused.test.ts',
      'live refuses files in createCase, and the hint says what to do instead',
    ],
    [
      '| `upload_missing` | live, and storage holds no bytes |',
      'clinical/files/upload.test.ts',
      '409: no bytes were uploaded',
    ],
    [
      '| `mismatch` at `#/mime` or `#/size_bytes` | the bytes are not what was reserved |',
      'clinical/files/upload.test.ts',
      '400: the bytes are of another type than declared; a corrected upload is accepted',
    ],
    [
      '`hold` keeps it where no clinician sees it',
      'clinical/cases/create.test.ts',
      'with hold the case is received, not queued',
    ],
    [
      '| `upload_url` | where the bytes go. It needs no key, and is as secret as one |',
      'clinical/files/upload.test.ts',
      'must use PUT and may be sent by pages of any origin',
    ],
    [
      '| `upload_headers` | what the upload must send, every entry, as it stands |',
      'clinical/files/upload.test.ts',
      'is refused when a header of the reservation is missing or different',
    ],
    [
      'In live mode it may stay null until you confirm.',
      'clinical/files/upload.test.ts',
      'sets size_bytes and can be repeated until the file is confirmed',
    ],
    [
      '`kind` is a word of your own, such as `photo_id`, `clinical_photo` or `lab_result`.',
      'clinical/files/files.test.ts',
      '400: every member with a wrong value or an unknown reference',
    ],
    [
      'In the sandbox it is the id you know.',
      'clinical/files/files.test.ts',
      '200: the file keeps its id, is attached to its case and has one event',
    ],
    [
      'This is test mode alone: in live mode every id is answered with 501',
      'clinical/files/files.test.ts',
      '501 in live for every id, before any other check',
    ],
    [
      '| `DELETE` | 200 | 501 `live_not_available` |',
      'clinical/files/files.test.ts',
      '501 in live for every id, before any other check',
    ],
    [
      'The API does not say so; the clinic sees the reason, and asks the patient for another',
      'console/pages/files/files.test.ts',
      'a case says which of its documents is shown to no one',
    ],
    [
      'There is no event.',
      'sweeps/record-claims.test.ts',
      'documents: only the records role removes one, in two steps, without an event',
    ],
    [
      'It works in both modes',
      'clinical/files/files.test.ts',
      '201: returns the upload URL, the headers to send and the expiry',
    ],
  ],
}
