// A document for staff: its metadata, its pages as images, and its removal. Removal takes two
// steps, by one person or two, so no single mistake destroys part of a record.

import { Problem } from '#contract/problems.ts'
import { sql } from '#database/sql.ts'
import type { PageCache } from '../files/page-cache.ts'
import { readStored, renderStored } from '../files/render.ts'
import type { Mime } from '../viewer/sniff.ts'
import { clock } from '../pipeline/clock.ts'
import { type AnyCall, tenantOf } from '../pipeline/handler.ts'
import { idAndItem, published } from '../pipeline/publish.ts'
import { type Bytes, documentKey } from '../storage/storage.ts'
import { actorOf, read, sameVersion, write } from './handler.ts'
import type { Files } from '../services.ts'

const version = sql`coalesce(removed_at, removal_asked_at, attached_at)`

export const clinicFileColumns = sql`
  id, patient, "case", kind, mime, size_bytes, iso(attached_at) as attached_at,
  iso(created_at) as created_at, filename, status, scan, finding, pages,
  case when removal_asked_at is not null then (
    select row_to_json(r) from (
      select json_build_object('person', removal_asked_by, 'name', removal_asked_by_name) as by,
             iso(removal_asked_at) as at, removal_reason as reason) r) end as removal,
  case when removed_at is not null then (
    select row_to_json(r) from (
      select json_build_object('person', removed_by, 'name', removed_by_name) as by,
             iso(removed_at) as at) r) end as removed,
  iso(${version}) as updated_at`

/** Leaves out reservations, which aren't documents yet. */
const clinicFile = (call: AnyCall, id: string) => sql`
  from files where tenant = ${tenantOf(call)} and id = ${id} and status <> 'reserved'`

export const readFile = read('readFile', (call, { id }) => ({
  rows: sql`select ${idAndItem(clinicFileColumns)} ${clinicFile(call, id)}`,
}))

/** The stored page to render. `pageOf` returns only the image, never these fields. */
type RenderedPage = { object: string; mime: Mime; page: number }

const notShown = () =>
  new Problem('file_not_shown', {
    detail: 'Only documents that were scanned and found clean can be shown.',
  })

export const viewFile = read('viewFile', (call, { id, page = 1 }) => ({
  rows: sql`
    select ${idAndItem(sql`object, mime, ${page}::int as page`)},
           case when status = 'removed' or scan is distinct from 'clean' then 'file_not_shown' end
             as refused
      ${clinicFile(call, id)} and ${page}::int <= coalesce(pages, 1)`,
  refusable: { refusal: notShown, answer: item => item },
}))

/** Renders the page as an image, after the call has released its connection. */
export async function pageOf(
  files: Files,
  item: string,
  { pages, session }: Viewing,
): Promise<Bytes> {
  const shown: RenderedPage = JSON.parse(item)
  const bytes = await pages.get(session, shown, () => rendered(files, shown))
  const image = new Blob([new Uint8Array(bytes)])
  return { size: image.size, open: async () => image }
}

/** The cache of rendered pages, and the viewing session's cookie. */
export type Viewing = { readonly pages: PageCache; readonly session: string }

async function rendered(files: Files, shown: RenderedPage): Promise<Uint8Array> {
  const found = await renderStored(files, shown)
  if ('finding' in found) {
    const detail =
      found.finding === 'too_slow' ? 'This page takes too long to render.' : 'This page is damaged.'
    throw new Problem('file_not_shown', { detail })
  }
  return found.image
}

/** Downloads a document only if its page was refused because it takes too long to render. */
export const downloadFile = read('downloadFile', (call, { id }) => ({
  rows: sql`
    select ${idAndItem(sql`object`)},
           case when status = 'removed' or finding is distinct from 'too_slow' then 'file_not_shown'
                end as refused
      ${clinicFile(call, id)}`,
  refusable: {
    refusal: () =>
      new Problem('file_not_shown', {
        detail: 'Only documents whose pages take too long to render can be downloaded.',
      }),
    answer: item => item,
  },
}))

export async function originalOf(files: Files, item: string): Promise<Bytes> {
  const { object }: Pick<RenderedPage, 'object'> = JSON.parse(item)
  const original = await readStored(files, object)
  return { size: original.size, open: async () => original }
}

type Facts = {
  id: string
  case: string | null
  status: 'attached' | 'removed'
  updated_at: string
  object: string
  is_asked: boolean
  is_held: boolean
}

/** Tests whether the document's record is under legal hold. */
const isHeld = sql`exists (
  select from records.holds h
   where h.tenant = files.tenant and h.patient = files.patient and h.lifted_at is null)`

const facts = (call: AnyCall, { id }: { id: string }) => sql`
  select id, "case", status, iso(${version}) as updated_at, object,
         removal_asked_at is not null as is_asked, ${isHeld} as is_held
    ${clinicFile(call, id)}`

/** Returns the document as read; throws unless it's attached and its removal matches `isAsked`. */
function attached(found: Facts | null, input: { version: string }, isAsked: boolean): Facts {
  const file = sameVersion(found, input)
  if (file.status === 'attached' && file.is_asked === isAsked) return file
  throw new Problem('invalid_transition', {
    detail: isAsked
      ? "No one has requested this document's removal."
      : "This document's removal was already requested.",
    members: { resource: { type: 'file', id: file.id }, current_status: file.status },
  })
}

/** Locks the document at the version the decision was based on. */
const held = (call: AnyCall, { id, updated_at }: Facts) => sql`
  select id ${clinicFile(call, id)} and ${version} = ${updated_at}::timestamptz
     and status = 'attached' and exists (select from go)`

const answer = published(clinicFileColumns)

export const requestRemoval = write('requestRemoval', {
  facts,
  decide: (call, { reason, ...input }, found: Facts | null) => ({
    file: attached(found, input, false),
    reason,
    by: actorOf(call),
  }),
  write: (call, { file, reason, by }) => sql`
    held as materialized (${held(call, file)} for no key update), ${clock(call, 1, sql`held`)},
    changed as (
      update files set removal_reason = ${reason}, removal_asked_by = ${by.person},
             removal_asked_by_name = ${by.name}, removal_asked_at = c.at
        from clock c where tenant = ${tenantOf(call)} and id = ${file.id}
      returning id, ${answer} as answer
    )`,
})

export const cancelRemoval = write('cancelRemoval', {
  facts,
  decide: (_, input, found: Facts | null) => attached(found, input, true),
  write: (call, file) => sql`
    held as materialized (${held(call, file)} for no key update),
    changed as (
      update files set removal_reason = null, removal_asked_by = null,
             removal_asked_by_name = null, removal_asked_at = null
        from (select from held) h where tenant = ${tenantOf(call)} and id = ${file.id}
      returning id, ${answer} as answer
    )`,
})

export const confirmRemoval = write('confirmRemoval', {
  facts,
  decide: (call, input, found: Facts | null) => {
    const file = attached(found, input, true)
    if (file.is_held) throw call.refuse('legal_hold')
    return { file, by: actorOf(call) }
  },
  // Locks the case, then the file, like every write that locks both. After the commit, the worker
  // removes the bytes, and retries until they're gone.
  write: (call, { file, by }) => sql`
    case_held as materialized (
      select id from cases where tenant = ${tenantOf(call)} and id = ${file.case}
         and exists (select from go) for no key update
    ), held as materialized (
      ${held(call, file)} and "case" is not distinct from ${file.case}::text
         and (${file.case}::text is null or exists (select from case_held))
         and not ${isHeld} for no key update
    ), ${clock(call, 1, sql`held`)},
    left_case as (
      update cases set files = array_remove(files, ${file.id}::text), updated_at = c.at
        from clock c where tenant = ${tenantOf(call)} and id = ${file.case}
         and ${file.id}::text = any (files)
    ), discarded as (
      insert into discarded_objects (tenant, key)
      select ${tenantOf(call)}, ${documentKey('live', file.object)} from held
    ), changed as (
      update files set status = 'removed', filename = null, removed_by = ${by.person},
             removed_by_name = ${by.name}, removed_at = c.at
        from clock c where tenant = ${tenantOf(call)} and id = ${file.id}
      returning id, ${answer} as answer
    )`,
})
