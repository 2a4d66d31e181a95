// The statements that the pipeline and its handlers build for a request, for peers that run only
// those statements.
import path from 'node:path'
import { guardConnection } from '#auth/guard.ts'
import { noToken } from '#auth/principal.ts'
import type { AuditedCall } from '#auth/audit.ts'
import { openFiles } from '#clinical/files/files.ts'
import { openStorage } from '#clinical/storage/open.ts'
import { embeddedRealtime } from '#clinical/realtime/embedded.ts'
import { openWebhooks } from '#clinical/webhooks/webhooks.ts'
import { publicAddresses } from '#http/outgoing/addresses.ts'
import { createEncryption } from '#database/encryption.ts'
import { type Call, callOf } from '#clinical/pipeline/handler.ts'
import { RecentKeys } from '#clinical/pipeline/idempotency.ts'
import { performRead } from '#clinical/pipeline/perform-read.ts'
import { performWrite } from '#clinical/pipeline/perform-write.ts'
import type { RequestedCall } from '#clinical/pipeline/requested-call.ts'
import { restSurface } from '#clinical/rest/surface.ts'
import type { OperationId } from '#contract/api.ts'
import { randomHalf } from '#contract/ids.ts'
import { allScopes } from '#contract/scopes.ts'
import {
  type Connection,
  keyed as keyedPlans,
  openPool,
  type ConnectionPool,
  type Row,
} from '#database/pool.ts'
import { sql, Statement } from '#database/sql.ts'
import { now, randomBytes } from '#database/clock.ts'
import { rivera } from '#contract/examples.ts'
import type { BenchEnvironment, Tenant } from './environment.ts'
import { dataDir } from './server.ts'
import type { CallServices } from '#clinical/services.ts'

export const person = {
  ...rivera,
  middle_name: 'Maria',
  address: { ...rivera.address, country: 'US' },
} as const

/** A placeholder for an idempotency key in a statement. */
export const keyPlaceholder = 'the-key-of-this-write'

const randomId = () => randomHalf(randomBytes(16))

export const auditedOf = (action: OperationId, target: string | null): AuditedCall => ({
  surface: 'rest',
  action,
  target,
  request: `req_01m7wqryjr${randomId()}`,
  address: '127.0.0.1',
  agent: 'bench',
})

function callAs<K extends OperationId>(tenant: Tenant): Call<K> {
  const organization = {
    id: tenant.organization,
    name: '',
    slug: '',
    kind: '',
    status: 'active',
    formulary: null,
  }
  const { credential, integration, id } = tenant
  const principal = { credential, integration, tenant: id, organization, mode: 'test' as const }
  return callOf<K>({ ...noToken, ...principal, scopes: allScopes }, { realNow: now() }, randomId)
}

function openServices(base: string): CallServices {
  const storage = openStorage({ folder: path.join(dataDir, 'files') }, now, randomId)
  const secret = 'a secret for benches'
  const webhooks = openWebhooks(createEncryption([secret]), publicAddresses, randomBytes)
  const files = openFiles(storage, [secret], base)
  return { base, files, webhooks, realtime: embeddedRealtime(secret) }
}

/** Captures the pipeline's statement for a request at the connection. Each query returns a success
 *  row, so the pipeline sends only one statement. */
async function captureStatement<K extends OperationId>(
  tenant: Tenant,
  action: K,
  input: Pick<RequestedCall<string>, 'query' | 'body' | 'idempotencyKey'>,
): Promise<Statement> {
  const sent: Statement[] = []
  const row = {
    stale: false,
    known: true,
    held: true,
    same: null,
    id: 'none',
    item: '',
    answer: '',
  }
  const connection: Connection = {
    tenant: tenant.id,
    run<R extends Row>(statement: Statement) {
      sent.push(statement)
      return Promise.resolve([row as unknown as R])
    },
  }
  const base = 'http://localhost'
  const { operation, handler, place } = restSurface(base).operationOf(action)
  const audited = auditedOf(action, null)
  const requested: RequestedCall<OperationId> = {
    ...input,
    operation: action,
    path: operation.path,
    names: {},
    token: tenant.key,
    organization: null,
    version: null,
    refusedBody: null,
    request: audited.request,
    address: audited.address,
    agent: audited.agent,
  }
  const call = callAs<OperationId>(tenant)
  const context = openServices(base)
  const guarded = guardConnection(connection, tenant.cached)
  const parts = {
    connection,
    guarded,
    operation,
    place,
    requested,
    audited,
    call,
    context,
    recent: new RecentKeys(),
  }
  await (handler.kind === 'write'
    ? performWrite({ ...parts, handler, wakeUp: { notify: () => undefined } })
    : performRead({ ...parts, handler }, { recordRead: () => false }))
  const [only] = sent
  if (!only || sent.length > 1) throw new Error(`${action} sent ${sent.length} statements.`)
  return only
}

/** The single statement that POST /v1/patients sends with a cached credential. */
export const createPatientStatement = (tenant: Tenant): Promise<Statement> =>
  captureStatement(tenant, 'createPatient', {
    query: new URLSearchParams(),
    body: person,
    idempotencyKey: keyPlaceholder,
  })

export type List = 'listEvents' | 'listCases' | 'listPatients'

/** The single statement that a list sends with a cached credential. */
export const listStatement = (
  tenant: Tenant,
  list: List,
  query: URLSearchParams,
): Promise<Statement> =>
  captureStatement(tenant, list, { query, body: undefined, idempotencyKey: null })

/**
 * The same statement with other keys. The statement is split once, so a loop doesn't measure the
 * splitting.
 */
export function keyed(statement: Statement): (key: string) => Statement {
  const { strings, values } = statement
  return key =>
    new Statement(
      strings,
      values.map(value => (value === keyPlaceholder ? key : value)),
    )
}

/** A pool with the same role, schemas and settings as the gateway's. */
export const poolOf = (context: BenchEnvironment, size: number): ConnectionPool =>
  openPool({
    url: context.urls.test,
    size,
    name: 'bench',
    path: 'test, public',
    settings: keyedPlans,
  })

export const setTenant = (tenant: Tenant): Statement =>
  sql`select set_config('app.tenant', ${tenant.id}, false)`
