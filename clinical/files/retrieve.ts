import { sql } from '#database/sql.ts'
import { read } from '../pipeline/handler.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { fileColumns, presentFiles } from './file.ts'

export const getFile = read('getFile', (call, { id }) => ({
  rows: sql`select ${idAndItem(fileColumns)} ${presentFiles(call)} and id = ${id}`,
}))
