// A charge as the API returns it. A charge's row never changes; the status comes from the invoice
// line that refers to it.

import { sql } from '#database/sql.ts'

const invoice = sql`(
  select l.invoice from invoice_lines l
   where l.charge_tenant = charges.tenant and l.charge = charges.id)`

export const chargeColumns = sql`
  id, kind, case when ${invoice} is null then 'pending' else 'invoiced' end as status,
  (select row_to_json(x) from (select resource_type as type, resource_id as id) x) as resource,
  amount, currency, reverses, ${invoice} as invoice, iso(created_at) as created_at`
