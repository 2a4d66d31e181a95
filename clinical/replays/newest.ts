import { sql } from '#database/sql.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { newestPage, read } from '../portal/handler.ts'
import { integrationTenant } from '../webhooks/endpoint.ts'
import { replayColumns } from './replay.ts'

export const listNewestReplays = read('listNewestReplays', (_call, input) =>
  newestPage(
    input,
    sql`
      select ${idAndItem(replayColumns)} from replays r
       where tenant = ${integrationTenant} and webhook_endpoint = ${input.webhook_endpoint}`,
  ),
)
