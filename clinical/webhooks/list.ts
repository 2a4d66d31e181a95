import { sql } from '#database/sql.ts'
import { read } from '../pipeline/handler.ts'
import { paging } from '../pipeline/pages.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { endpointColumns, integrationTenant } from './endpoint.ts'

export const listWebhookEndpoints = read('listWebhookEndpoints', (_call, input) => ({
  rows: sql`
    select ${idAndItem(endpointColumns)} from webhook_endpoints
     where tenant = ${integrationTenant} and kind = 'https' ${paging(input)}`,
}))
