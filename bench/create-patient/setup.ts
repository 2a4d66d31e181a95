// The setup and the request that every side of this benchmark shares.
import type { BenchEnvironment, Tenant } from '../harness/environment.ts'
import { requestText } from '../harness/load.ts'
import type { Options } from '../harness/options.ts'
import type { Server } from '../harness/server.ts'
import { person } from '../harness/statement.ts'

export type Setup = { options: Options; environment: BenchEnvironment; gateway: Server }

export const postText = (tenant: Tenant, key: string): string =>
  requestText(
    'POST',
    '/v1/patients',
    {
      authorization: `Bearer ${tenant.key}`,
      'content-type': 'application/json',
      'idempotency-key': key,
      'user-agent': 'bench',
    },
    JSON.stringify(person),
  )
