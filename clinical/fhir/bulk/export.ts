// A bulk export's SQL: starting one, its published form, and removing its files.

import { bulkLimits, bulkPath } from '#contract/fhir/bulk.ts'
import type { FhirType } from '#contract/fhir/resource-types.ts'
import { Problem } from '#contract/problems.ts'
import { sql, type Statement } from '#database/sql.ts'
import type { Actor } from '../../actor.ts'
import { clock, idAt, tenantNow } from '../../pipeline/clock.ts'
import { type AnyCall, type IdParts, tenantOf } from '../../pipeline/handler.ts'
import { published } from '../../pipeline/publish.ts'
import type { CallServices } from '../../services.ts'
import { bundleKey, StorageUnavailable } from '../../storage/storage.ts'

export type NewExport = {
  readonly id: IdParts
  readonly request: string
  readonly types: readonly FhirType[]
  readonly since: string | null
  readonly patients: readonly string[] | null
  /** The staff member who starts the export, or null for the integration. */
  readonly by: Actor | null
}

/** Starts an export; a second export at the same time violates a unique index and changes
 *  nothing. */
export const startExport = (call: AnyCall, given: NewExport, from: Statement): Statement => sql`
  ${clock(call, 1, from)},
  changed as (
    insert into bulk_exports (tenant, id, request, types, since, patients, person, person_name,
                              created_at, expires_at)
    select ${tenantOf(call)}, ${idAt(given.id)}, ${given.request}, ${given.types}::text[],
           ${given.since}::timestamptz, ${given.patients}::text[], ${given.by?.person ?? null}::text,
           ${given.by?.name ?? null}::text, c.at, c.at + ${bulkLimits.hours}::int * interval '1 hour'
      from clock c
        on conflict do nothing
    returning id, ${published(sql`id`)} as answer
  )`

export const busy = (retrySeconds = 10) =>
  new Problem('rate_limited', {
    detail: 'Another export is still running, and only one runs at a time.',
    hint: `Wait until it's completed, or delete it: DELETE ${bulkPath}/{id}.`,
    headers: { 'retry-after': `${retrySeconds}` },
  })

/** Exports that aren't deleted or expired, as the tail of a select. */
export const presentExports = (isClinic: boolean): Statement => sql`
  from bulk_exports b where (b.person is not null) = ${isClinic}::boolean
   and b.status <> 'deleted' and b.expires_at > ${tenantNow}`

export const bulkColumns = sql`
  b.id, b.status, b.request, b.types, iso(b.created_at) as created_at,
  iso(b.expires_at) as expires_at, b.person_name as started_by, (
    select coalesce(json_agg(f), '[]') from (
      select f.id, f.type, f.count from bulk_files f
       where f.tenant = b.tenant and f.export = b.id order by f.id) f) as files`

/** Ends an export, running or not, and queues its files for removal from storage. */
export const deleteExport = (call: AnyCall, { id }: { readonly id: string }): Statement => sql`
  removed as (
    update bulk_files f set object = null from go
     where f.tenant = ${tenantOf(call)} and f.export = ${id} and f.object is not null
    returning f.id
  ), changed as (
    update bulk_exports b set status = 'deleted' from go
     where b.tenant = ${tenantOf(call)} and b.id = ${id} and b.status <> 'deleted'
    returning b.id, ${published(sql`b.id`)} as answer
  )`

/** A file's row for its download, as the tail of a select. */
export const presentFile = (call: AnyCall, id: string, isClinic: boolean): Statement => sql`
  from bulk_files f where f.tenant = ${tenantOf(call)} and f.id = ${id} and f.object is not null
   and exists (select ${presentExports(isClinic)} and b.tenant = f.tenant and b.id = f.export)`

/** Returns a function that opens the file whose row has the given type and object. */
export const attachmentOf =
  ({ principal }: AnyCall, id: string, { files }: CallServices) =>
  async (item: string) => {
    const { type, object } = JSON.parse(item) as { type: string; object: string }
    const bytes = await files.storage.read(bundleKey(principal.mode, object))
    if (!bytes) throw new StorageUnavailable("the export's file is missing from storage")
    const headers = { 'content-disposition': `attachment; filename="${type}-${id}.ndjson"` }
    return { bytes, headers }
  }
