import { limits } from '#contract/limits.ts'
import { nothing, sql } from '#database/sql.ts'
import { encryptedResponse } from '../pipeline/encrypted-members.ts'
import { read } from '../pipeline/handler.ts'
import { oldestId, paging } from '../pipeline/pages.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { deliveryColumns } from './delivery.ts'
import { anyEndpointOf, integrationTenant } from '../webhooks/endpoint.ts'

export const listDeliveries = read(
  'listDeliveries',
  (call, input) => ({
    parent: sql`select ${anyEndpointOf(input.id)}`,
    rows: sql`
    select ${idAndItem(deliveryColumns)} from all_deliveries deliveries
     where tenant = ${integrationTenant} and webhook_endpoint = ${input.id}
       ${input.status === undefined ? nothing : sql`and status = ${input.status}`} ${paging(input, { oldest: oldestId(call, 'dlv', limits.sandboxRowDays) })}`,
  }),
  encryptedResponse,
)
