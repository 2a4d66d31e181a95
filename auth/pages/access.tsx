// The first page: what acts for the person who is signed in, and how to end it.
import { Hidden } from '#http/html/fields.tsx'
import { type Access, endAccess, listAccess } from '../accounts/access.ts'
import { insertAuditRow } from '../oauth/audit.ts'
import { auditedCall } from './audit.ts'
import type { PageCall, PageHandler } from './context.ts'
import { RowForm } from '#http/html/parts.tsx'
import { Moment, ScopeList } from './words.tsx'

export const showAccess: PageHandler = async (context, call) => {
  const access = await listAccess(context.pool, call.session.person.id)
  return {
    content: (
      <>
        <h1>Your agents and devices</h1>
        <p class="lead">
          They act for you in the sandbox, until you end their access, they do not use it for 30
          days, or 90 days have passed.
        </p>
        {access.length === 0 ? (
          <p class="empty">Nothing acts for you.</p>
        ) : (
          <ul class="cards">
            {access.map(one => (
              <Card key={`${one.client} ${one.integration} ${one.kind}`} call={call} access={one} />
            ))}
          </ul>
        )}
        <section class="aside">
          <h2>Connect a device</h2>
          <p>A command line or another device without a browser shows you a code.</p>
          <p>
            <a class="button second" href="/device">
              Enter the code
            </a>
          </p>
        </section>
      </>
    ),
  }
}

const kinds = { agent: 'Agent', device: 'Device' } as const

function Card({ call, access }: { call: PageCall; access: Access }) {
  const { client, client_name: name, kind, integration, hosts, scopes, since } = access
  const { client_host: host, integration_name: integrationName, last_used_at: used } = access
  const label = `End access of “${name}” to ${integrationName}`
  return (
    <li class="card">
      <div class="card-head">
        <h2>“{name}”</h2>
        <RowForm call={call} path="/access/end">
          <Hidden name="client" value={client} />
          <Hidden name="integration" value={integration} />
          <Hidden name="kind" value={kind} />
          <button class="button second small" aria-label={label}>
            End access
          </button>
        </RowForm>
      </div>
      <p>
        {kinds[kind]}
        {host !== null && ` of ${host}`}
        {hosts !== null && ` at ${hosts}`} with access to <strong>{integrationName}</strong>, test
        mode only.
      </p>
      <p class="fine">
        Since <Moment at={since} />.{' '}
        {used === null ? (
          'Not used yet.'
        ) : (
          <>
            Last used <Moment at={used} />.
          </>
        )}
      </p>
      <details>
        <summary>What it may do</summary>
        <ScopeList asked={scopes} />
      </details>
    </li>
  )
}

export const endOneAccess: PageHandler = async (context, call) => {
  const { form: given } = call
  const kind = given.get('kind') === 'device' ? 'device' : 'agent'
  const name = {
    client: given.get('client') ?? '',
    integration: given.get('integration') ?? '',
    kind,
  } as const
  // One that has ended meanwhile is what was asked for.
  await endAccess(context.pool, call.session.person.id, name, subjects =>
    insertAuditRow(
      auditedCall(call),
      { action: 'auth.end_access', outcome: 'ok', status: 303, code: null },
      subjects,
    ),
  )
  return { redirect: '/' }
}
