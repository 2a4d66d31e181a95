// Clinical notes. Each author has a draft for a case or visit, and signs it directly or by deciding
// the case. Signed notes can have addenda (migrations/0018_records.sql).

import { Problem } from '#contract/problems.ts'
import { sql, type Statement } from '#database/sql.ts'
import type { Actor } from '../actor.ts'
import { type CodeFacts, codeFacts, codesOf } from '../diagnoses/code-list.ts'
import { clock, idAt } from '../pipeline/clock.ts'
import { type AnyCall, tenantOf } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { actorOf, type StaffCall, write } from './handler.ts'

const addenda = sql`(
  select coalesce(json_agg(row_to_json(a) order by a.id), '[]') from (
    select id, json_build_object('person', person, 'name', person_name) as by, body,
           iso(created_at) as created_at
      from records.addenda where tenant = notes.tenant and note = notes.id) a) as addenda`

export const noteColumns = sql`
  id, patient, "case", visit, json_build_object('person', person, 'name', person_name) as by, body,
  codes, iso(created_at) as created_at, iso(updated_at) as updated_at,
  iso(signed_at) as signed_at, ${addenda}`

/** Selects signed notes and the caller's own drafts. */
export const readableNote = (person: string): Statement =>
  sql`(signed_at is not null or person = ${person})`

const answer = published(noteColumns)
const tables = { case: sql`cases`, visit: sql`visits` } as const
type Kind = keyof typeof tables

type Codes = ReturnType<typeof codesOf>
type Draft = { body: string; codes: Codes; version: string } | null
type Facts = { id: string; patient: string; draft: Draft } & CodeFacts
type NoteText = {
  id: string
  version: string | null
  body: string
  codes?: string[]
  unconfirmed?: string
}
type Plan = {
  readonly of: Pick<Facts, 'id' | 'patient'>
  readonly version: string | null
  readonly note: { readonly body: string; readonly codes: string }
  readonly by: Actor
  readonly minted: ReturnType<AnyCall['mint']>
}

/** The condition for a person's draft on a case or visit, as its unique index has it. */
export const draftOf = (person: string, tenant: Statement, target: Statement): Statement => sql`
  tenant = ${tenant} and coalesce("case", visit) = ${target} and person = ${person}
  and signed_at is null`

const draftOn = (call: StaffCall, id: string): Statement =>
  draftOf(call.principal.person, tenantOf(call), sql`${id}`)

const momentOf = (version: string | null) => (version === null ? null : Date.parse(version))

/** Throws if the caller's draft isn't at this version, or null if there's no draft. */
export function sameDraft(current: string | null, version: string | null): void {
  if (momentOf(current) === momentOf(version)) return
  const change = current === null ? 'signed in another window' : 'changed in another window'
  throw new Problem('version_changed', {
    detail: `This note was ${change} after you opened it here, so nothing was saved.`,
    members: { version: current },
  })
}

/** Whether the draft has the text of this write or of the one before it. Then the writes come from
 *  the same page, which didn't get their responses. */
const isFrom = ({ body, unconfirmed }: NoteText, codes: Codes, draft: Draft) =>
  draft !== null &&
  (draft.body === unconfirmed || (draft.body === body && listOf(draft.codes) === listOf(codes)))

const listOf = (codes: Codes): string => codes.map(({ code }) => code).join()

const noteOn = (kind: Kind, isSigned: boolean) => ({
  facts: (call: StaffCall, { id, codes = [] }: NoteText) => sql`
    select id, patient, ${codeFacts(call.now, codes)}, (
             select row_to_json(d) from (
               select body, codes, iso(updated_at) as version from records.notes
                where ${draftOn(call, id)}) d) as draft
      from ${tables[kind]} where tenant = ${tenantOf(call)} and id = ${id}`,
  decide: (call: StaffCall, input: NoteText, found: Facts | null): Plan => {
    if (!found) throw new Problem('not_found')
    const { id, patient, draft } = found
    const codes = codesOf(found)
    const version = draft?.version ?? null
    if (!isFrom(input, codes, draft)) sameDraft(version, input.version)
    return {
      of: { id, patient },
      version,
      note: { body: input.body, codes: JSON.stringify(codes) },
      by: actorOf(call),
      minted: call.mint('note', 0),
    }
  },
  // If another write got ahead, nothing is written: the version differs, or the draft's index
  // refuses a second one.
  write: (call: StaffCall, { of, version, note, by, minted }: Plan) => {
    const signedAt = isSigned ? sql`c.at` : sql`null::timestamptz`
    return sql`
    held as materialized (
      select id from ${tables[kind]} where tenant = ${tenantOf(call)} and id = ${of.id}
         and exists (select from go) for no key update
    ), ${clock(call, 1, sql`held`)},
    updated as (
      update records.notes set body = ${note.body}, codes = ${note.codes}::text::json,
             updated_at = c.at, signed_at = ${signedAt}
        from clock c where ${draftOn(call, of.id)} and updated_at = ${version}::timestamptz
      returning id, ${answer} as answer
    ), inserted as (
      insert into records.notes (tenant, id, patient, "case", visit, person, person_name, body,
                                 codes, created_at, updated_at, signed_at)
      select ${tenantOf(call)}, ${idAt(minted)}, ${of.patient},
             ${kind === 'case' ? of.id : null}::text, ${kind === 'visit' ? of.id : null}::text,
             ${by.person}, ${by.name}, ${note.body}, ${note.codes}::text::json, c.at, c.at, ${signedAt}
        from clock c where ${version}::timestamptz is null
      returning id, ${answer} as answer
    ), changed as (select id, answer from updated union all select id, answer from inserted)`
  },
})

export const saveCaseNote = write('saveCaseNote', noteOn('case', false))
export const signCaseNote = write('signCaseNote', noteOn('case', true))
export const saveVisitNote = write('saveVisitNote', noteOn('visit', false))
export const signVisitNote = write('signVisitNote', noteOn('visit', true))

/** The version of the caller's draft on a case; null without one. */
export const draftVersionOn = (call: StaffCall, id: string): Statement => sql`(
  select iso(updated_at) from records.notes where ${draftOn(call, id)})`

/** The part of a decision's statement that signs this version of the caller's draft on the case. */
export const signedDraft = (call: StaffCall, id: string, version: string | null): Statement => sql`,
  signed_draft as (
    update records.notes set signed_at = c.at, updated_at = c.at
      from clock c where ${draftOn(call, id)} and updated_at = ${version}::timestamptz
       and body <> ''
  )`

type Signed = { id: string; is_signed: boolean }

export const addAddendum = write('addAddendum', {
  facts: (call, { id }) => sql`
    select id, signed_at is not null as is_signed from records.notes
     where tenant = ${tenantOf(call)} and id = ${id}
       and ${readableNote(call.principal.person)}`,
  decide: (call, { id, body }, found: Signed | null) => {
    // Only a draft's author can see it, and they edit it instead of adding an addendum.
    if (!found?.is_signed) throw new Problem('not_found')
    return { note: id, body, by: actorOf(call), minted: call.mint('addendum', 0) }
  },
  write: (call, { note, body, by, minted }) => sql`
    held as materialized (
      select id from records.notes
       where tenant = ${tenantOf(call)} and id = ${note} and signed_at is not null
         and exists (select from go)
    ), ${clock(call, 1, sql`held`)},
    added as (
      insert into records.addenda (tenant, id, note, person, person_name, body, created_at)
      select ${tenantOf(call)}, ${idAt(minted)}, ${note}, ${by.person}, ${by.name}, ${body}, c.at
        from clock c
      returning note, id, json_build_object('person', person, 'name', person_name) as by, body,
                iso(created_at) as created_at
    ), changed as (
      select x.id, row_to_json(x)::text as answer from (
        select n.id, n.patient, n."case", n.visit, n.by, n.body, n.codes, n.created_at,
               n.updated_at, n.signed_at, (n.addenda::jsonb || jsonb_build_array(to_jsonb(a) - 'note'))::json as addenda
          from added a
         cross join lateral (
           select ${noteColumns} from records.notes
            where tenant = ${tenantOf(call)} and id = a.note) n) x
    )`,
})
