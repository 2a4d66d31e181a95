import { sql } from '#database/sql.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { read } from '../preview/handler.ts'
import { replayColumns, replayOf } from './replay.ts'

export const getReplay = read('getReplay', (_call, { id }) => ({
  rows: sql`select ${idAndItem(replayColumns)} ${replayOf(id)}`,
}))
