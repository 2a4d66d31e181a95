// The request log, newest first, and its calls counted by hour.

import { hourMilliseconds } from '#contract/moments.ts'
import { firstIdOf } from '#contract/ids.ts'
import { changedRequestsMax } from '#contract/portal/reads/requests.ts'
import { type Release, releases } from '#contract/releases/releases.ts'
import { sql } from '#database/sql.ts'
import { published } from '../pipeline/publish.ts'
import { requestColumns, requestsOf } from '../requests/request.ts'
import { integrationTenant } from '../webhooks/endpoint.ts'
import { newestPage, read, when } from './handler.ts'

const firstIdAt = (moment: string) => firstIdOf('req', Date.parse(moment))

/** Error outcomes can use the index on refused calls. */
const outcomes = {
  answered: sql`and status < 400`,
  refused: sql`and code is not null and status < 500`,
  failed: sql`and code is not null and status >= 500`,
  error: sql`and code is not null`,
}

export const listNewestRequests = read('listNewestRequests', (call, input) =>
  newestPage(
    input,
    sql`
      select id, ${published(sql`${requestColumns(call)}, client, person`)} as item ${requestsOf(call)}
         ${when(input.since, one => sql`and id >= ${firstIdAt(one)}`)}
         ${when(input.until, one => sql`and id < ${firstIdAt(one)}`)}
         ${when(input.operation, one => sql`and operation = ${one}`)}
         ${when(input.outcome, one => outcomes[one])}
         ${when(input.code, one => sql`and code = ${one}`)}
         ${when(input.credential, one => sql`and credential = ${one}`)}
         ${when(input.target, one => sql`and target = ${one}`)}
         ${when(input.surface, one => sql`and surface = ${one}`)}
         ${when(input.client, one => sql`and client = ${one}`)}
         ${when(input.person, one => sql`and person = ${one}`)}`,
  ),
)

/** Most frequent first. */
export const countAgentCalls = read('countAgentCalls', (call, { client, person }) => ({
  rows: sql`
    select '' as id, json_build_object('data', coalesce(json_agg(row_to_json(c) order by c.answered + c.refused + c.failed desc, c.operation, c.surface), '[]'))::text as item
      from (select surface, operation, count(*) filter (where status < 400) as answered,
                   count(*) filter (where status between 400 and 499) as refused,
                   count(*) filter (where status >= 500) as failed,
                   iso(max(created_at)) as last_at
              ${requestsOf(call)} and client = ${client} and person = ${person}
             group by surface, operation) c`,
}))

/** Every hour has a row, even without calls. */
export const countRequests = read('countRequests', (call, { hours = 24 }) => {
  const first = (Math.floor(call.realNow / hourMilliseconds) - (hours - 1)) * hourMilliseconds
  return {
    rows: sql`
      select '' as id, json_build_object('hours', json_agg(h order by h.start))::text as item from (
        select iso(s.start) as start, coalesce(sum(answered), 0) as answered,
               coalesce(sum(refused), 0) as refused, coalesce(sum(failed), 0) as failed
          from generate_series(${new Date(first).toISOString()}::timestamptz,
                               ${new Date(call.realNow).toISOString()}::timestamptz, '1 hour') as s (start)
          left join request_counts c on c.tenant = ${integrationTenant} and c.hour = s.start
           and c.organization in (${call.principal.organization.id}, '')
         group by s.start) h`,
  }
})

/** Only request body fields can be counted, because the log stores each body's shape. */
const changedBy = (all: readonly Release[]) =>
  all
    .flatMap(({ changes }) => changes)
    .flatMap(({ in: place, name, operations }) =>
      operations.flatMap(operation => [
        { operation, field: null },
        ...(place === 'request' && name !== undefined ? [{ operation, field: name }] : []),
      ]),
    )

/** Counts at most one over the maximum, so a large log takes no longer to read. */
export const countChangedBy = (all: readonly Release[]) => {
  const changed = JSON.stringify(changedBy(all))
  return read('countChanged', call => ({
    rows: sql`
    select '' as id, json_build_object('data', coalesce(json_agg(row_to_json(x)), '[]'))::text as item
      from (
        select c.operation, c.field, r.requests
          from (select distinct operation, field
                  from json_to_recordset(${changed}::text::json)
                    as c (operation text, field text)) c
         cross join lateral (
           select count(*)::int as requests from (
             select ${requestsOf(call)} and operation = c.operation
                and (c.field is null or (shape -> substr(c.field, 3)) is not null)
              limit ${changedRequestsMax + 1}::int) counted) r
         order by c.operation, c.field nulls first) x`,
  }))
}

export const countChanged = countChangedBy(releases)
