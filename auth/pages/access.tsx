// The start page: the agents and devices that act for the signed-in person, each with a button that
// revokes its access.
import { Hidden } from '#http/html/fields.tsx'
import { type Access, endAccess, listAccess } from '../accounts/access.ts'
import { insertAuditRow } from '../oauth/audit.ts'
import { auditedCall } from './audit.ts'
import type { PageCall, PageHandler } from './context.ts'
import { RowForm } from '#http/html/parts.tsx'
import { LocalMoment, ScopeList } from './words.tsx'

export const showAccess: PageHandler = async (context, call) => {
  const access = await listAccess(context.pool, call.session.person.id)
  return {
    scripts: access.length > 0,
    content: (
      <>
        <h1>Your agents and devices</h1>
        <p class="lead">
          They act for you in the sandbox until you revoke them. Access expires after 90 days, or 30
          days without use.
        </p>
        <p class="actions">
          <a class="button second" href="/account">
            Your account
          </a>
        </p>
        {access.length === 0 ? (
          <p class="empty">No agents or devices yet.</p>
        ) : (
          <ul class="cards">
            {access.map(one => (
              <Card key={`${one.client} ${one.integration} ${one.kind}`} call={call} access={one} />
            ))}
          </ul>
        )}
        <section class="aside">
          <h2>Connect a device</h2>
          <p>
            Signing in from a command line or a device without a browser? Enter the code it shows.
          </p>
          <p>
            <a class="button second" href="/device">
              Enter code
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
  const label = `Revoke “${name}” for ${integrationName}`
  return (
    <li class="card">
      <div class="card-head">
        <h2>“{name}”</h2>
        <RowForm call={call} path="/access/end">
          <Hidden name="client" value={client} />
          <Hidden name="integration" value={integration} />
          <Hidden name="kind" value={kind} />
          <button class="button second small" aria-label={label}>
            Revoke
          </button>
        </RowForm>
      </div>
      <p>
        {kinds[kind]}
        {host !== null && ` from ${host}`}
        {hosts !== null && ` at ${hosts}`} with access to <strong>{integrationName}</strong>, in
        test mode only.
      </p>
      <p class="fine">
        Since <LocalMoment at={since} />.{' '}
        {used === null ? (
          'Not used yet.'
        ) : (
          <>
            Last used <LocalMoment at={used} />.
          </>
        )}
      </p>
      <details>
        <summary>Scopes</summary>
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
  // Access that has already ended doesn't need to be revoked.
  await endAccess(context.pool, call.session.person.id, name, subjects =>
    insertAuditRow(
      auditedCall(call),
      { action: 'auth.end_access', outcome: 'ok', status: 303, code: null },
      subjects,
    ),
  )
  return { redirect: '/', toast: { text: 'Access revoked' } }
}
