// An invoice as the API returns it. Lists omit the charges, and a single read includes them.

import { sql } from '#database/sql.ts'
import { chargeColumns } from './charge.ts'

export const invoiceColumns = sql`
  id, number, status, iso(period_start) as period_start, iso(period_end) as period_end, currency,
  total, case when status in ('open', 'uncollectible') then greatest(total - amount_paid, 0)
              else 0 end as amount_due,
  amount_paid, iso(issued_at) as issued_at, iso(due_at) as due_at, iso(paid_at) as paid_at,
  iso(created_at) as created_at`

export const invoiceWithCharges = sql`
  ${invoiceColumns}, (
    select coalesce(json_agg(row_to_json(l) order by l.id), '[]') from (
      select ${chargeColumns} from invoiced_charges(invoices.id) as charges
    ) l) as charges`
