import { sql } from '#database/sql.ts'
import { read } from '../pipeline/handler.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { endpointColumns, endpointOf } from './endpoint.ts'

export const getWebhookEndpoint = read('getWebhookEndpoint', (_call, { id }) => ({
  rows: sql`select ${idAndItem(endpointColumns)} ${endpointOf(id)}`,
}))
