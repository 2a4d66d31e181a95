// Clinical notes on a case or a visit. Only the clinic can read a note: no event and no response to
// an integration contains notes.

import { Type } from 'typebox'
import { closed, idOf, moment, nullable, text } from '../shapes.ts'
import { carers, defineConsole, readRow, writeRow } from './row.ts'

export const noteLimits = { bodyMax: 20_000, codesMax: 12, addendumMax: 5000 } as const

/** The format of an ICD-10-CM code, such as E66.9. */
export const codePattern = '^[A-Z][0-9][0-9A-Z](\\.[0-9A-Z]{1,4})?$'

/** Returns a code in capitals with its dot: e119 becomes E11.9. */
export function dotted(code: string): string {
  const plain = code.replace('.', '').toUpperCase()
  return plain.length > 3 ? `${plain.slice(0, 3)}.${plain.slice(3)}` : plain
}

export const diagnosisLimits = { searchMax: 100, shownMax: 20 } as const

/** The newest loaded list of ICD-10-CM codes that has taken effect. */
export const CodeList = nullable(
  Type.Object({
    year: Type.Integer({ description: 'The fiscal year.' }),
    is_current: Type.Boolean({
      description: "Whether the list applies today. If so, codes that aren't in it are refused.",
    }),
  }),
  { description: 'null if no list is loaded; then only the format of codes is checked.' },
)

const by = Type.Object({ person: Type.String(), name: Type.String() })

export const Note = Type.Object({
  id: idOf('note'),
  patient: idOf('patient'),
  case: nullable(idOf('case')),
  visit: nullable(idOf('visit')),
  by,
  body: Type.String(),
  codes: Type.Array(
    Type.Object({
      code: Type.String(),
      title: nullable(Type.String()),
      year: nullable(Type.Integer()),
    }),
    {
      description:
        "An ICD-10-CM code, with its title and list year, or null if it wasn't looked up.",
    },
  ),
  created_at: moment(),
  updated_at: moment(),
  signed_at: nullable(moment(), {
    description: 'null for a draft, which only its author can read.',
  }),
  addenda: Type.Array(
    Type.Object({ id: idOf('addendum'), by, body: Type.String(), created_at: moment() }),
  ),
})

const codes = Type.Optional(
  Type.Array(Type.String({ pattern: codePattern }), {
    maxItems: noteLimits.codesMax,
    uniqueItems: true,
    default: [],
  }),
)

/** The version of the caller's draft. A write is refused if the draft changed since. */
export const draftVersion = nullable(moment(), {
  description: "The updated_at you read in the caller's draft; null if there was no draft.",
})

const save = {
  ...writeRow,
  roles: carers,
  body: closed({
    version: draftVersion,
    body: Type.String({ maxLength: noteLimits.bodyMax }),
    codes,
    unconfirmed: Type.Optional(
      Type.String({
        maxLength: noteLimits.bodyMax,
        description:
          "The text of an earlier save whose response didn't arrive. A draft with this text counts as unchanged.",
      }),
    ),
  }),
  returns: Note,
  refuses: ['version_changed'],
} as const

const sign = {
  ...save,
  isSignature: true,
  body: closed({ version: draftVersion, body: text(1, noteLimits.bodyMax), codes }),
} as const

export const noteRows = defineConsole({
  saveCaseNote: {
    ...save,
    path: '/console/cases/{id}/note',
    summary: "Save the caller's draft note on a case.",
  },
  signCaseNote: {
    ...sign,
    path: '/console/cases/{id}/note/sign',
    summary: 'Sign a note on a case.',
  },
  saveVisitNote: {
    ...save,
    path: '/console/visits/{id}/note',
    summary: "Save the caller's draft note on a visit.",
  },
  signVisitNote: {
    ...sign,
    path: '/console/visits/{id}/note/sign',
    summary: 'Sign a note on a visit.',
  },
  findDiagnoses: {
    ...readRow,
    path: '/console/diagnoses',
    roles: carers,
    summary: 'Find ICD-10-CM codes by code or by words in the title.',
    query: closed({
      q: text(1, diagnosisLimits.searchMax, {
        description:
          'The start of a code, with or without its dot, or the beginnings of words in any order.',
      }),
    }),
    returns: Type.Object({
      list: CodeList,
      data: Type.Array(Type.Object({ code: Type.String(), title: Type.String() }), {
        description: 'At most 20: codes first, then the shortest titles.',
      }),
    }),
  },
  addAddendum: {
    ...writeRow,
    path: '/console/notes/{id}/addenda',
    roles: carers,
    isSignature: true,
    summary: 'Add a dated addendum to a signed note.',
    body: closed({ body: text(1, noteLimits.addendumMax) }),
    returns: Note,
  },
})
