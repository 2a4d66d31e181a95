import { firstIdOf } from '#contract/ids.ts'
import { sql } from '#database/sql.ts'
import { newestPage, read, when } from '../portal/handler.ts'
import { tenantOf } from '../pipeline/handler.ts'
import { oldestOf } from '../pipeline/pages.ts'
import { published } from '../pipeline/publish.ts'
import { eventColumns } from './event.ts'

const firstIdAt = (moment: string) => firstIdOf('evt', Date.parse(moment))

export const listNewestEvents = read('listNewestEvents', (call, input) =>
  newestPage(
    input,
    sql`
      select id, ${published(eventColumns(call))} as item from events
       where tenant = ${tenantOf(call)} and id > ${oldestOf(call, 'evt') ?? ''}
         ${when(input.type, one => sql`and type = ${one}`)}
         ${when(input.resource, one => sql`and resource_id = ${one}`)}
         ${when(input.since, one => sql`and id >= ${firstIdAt(one)}`)}
         ${when(input.until, one => sql`and id < ${firstIdAt(one)}`)}`,
  ),
)
