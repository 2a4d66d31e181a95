import { sql } from '#database/sql.ts'
import { paging } from '../pipeline/pages.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { read } from '../preview/handler.ts'
import { integrationTenant } from '../webhooks/endpoint.ts'
import { destinationColumns, destinationOf } from './destination.ts'

export const listDestinations = read('listDestinations', (_call, input) => ({
  rows: sql`
    select ${idAndItem(destinationColumns)} from webhook_endpoints
     where tenant = ${integrationTenant} and kind <> 'https' ${paging(input)}`,
}))

export const getDestination = read('getDestination', (_call, { id }) => ({
  rows: sql`select ${idAndItem(destinationColumns)} ${destinationOf(id)}`,
}))
