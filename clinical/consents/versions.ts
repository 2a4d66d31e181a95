// The document version in effect for each kind, in a sandbox.

import { sql } from '#database/sql.ts'
import { tenantOf } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { read, write } from '../preview/handler.ts'

const members = sql`
  max(version) filter (where kind = 'telehealth') as telehealth,
  max(version) filter (where kind = 'privacy') as privacy`

export const getConsentVersions = read('getConsentVersions', call => ({
  rows: sql`
    select '' as id, ${published(sql`v.*`)} as item from (
      select ${members} from consent_versions where tenant = ${tenantOf(call)}) v`,
}))

export const publishConsentVersion = write('publishConsentVersion', {
  decide: (_call, { kind, version }) => ({ kind, version }),
  // Locks the tenant, so a concurrent reset either comes first or removes this row too.
  write: (call, { kind, version }) => {
    const ofTenant = sql`where tenant = ${tenantOf(call)}`
    return sql`
    held as materialized (
      select id from tenants
       where id = ${tenantOf(call)} and retired_at is null and exists (select from go) for share
    ), put as (
      ${
        version === null
          ? sql`delete from consent_versions
                 ${ofTenant} and kind = ${kind} and exists (select from held)`
          : sql`insert into consent_versions (tenant, kind, version)
                select id, ${kind}, ${version} from held
                on conflict (tenant, kind) do update set version = excluded.version`
      }
    ), changed as (
      select '' as id, ${published(sql`v.*`)} as answer from held cross join (
        select ${members} from (
          select ${kind}::text as kind, ${version}::text as version union all
          select kind, version from consent_versions ${ofTenant} and kind <> ${kind}) every) v
    )`
  },
})
