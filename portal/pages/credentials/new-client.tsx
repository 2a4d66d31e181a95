// Creates a client and shows the client's secret once.
import { oauthPaths } from '#contract/oauth.ts'
import { allScopes } from '#contract/scopes.ts'
import { createClient } from '#auth/administration.ts'
import { findOpenings, type Openings } from '#auth/granted-organizations.ts'
import { Alert } from '#http/html/fields.tsx'
import type { MemberCall, PortalContext, PortalHandler } from '../../context.ts'
import { Copyable, Facts, Heading, Id, RowForm } from '#http/html/parts.tsx'
import { refusalText } from '../../refusals.ts'
import {
  type CredentialFaults,
  CredentialFields,
  credentialOf,
  type CredentialValues,
  emptyCredential,
  isOpen,
  liveConditions,
} from './credential-form.tsx'
import { scopesFromQuery } from './narrower.tsx'

type ClientForm = {
  readonly openings: Openings
  readonly values: CredentialValues
  readonly faults?: CredentialFaults
  readonly alert?: string
  readonly status?: number
}

const clientForm = (call: MemberCall, given: ClientForm) => ({
  title: 'New client',
  status: given.status ?? 200,
  content: (
    <>
      <Heading
        title="New client"
        lead="Its tokens can have only these scopes. You’ll see the secret only once."
      />
      {given.alert !== undefined && <Alert>{given.alert}</Alert>}
      <RowForm call={call} path={call.pathOf('createClient')} class="stack">
        <CredentialFields
          values={given.values}
          faults={given.faults ?? {}}
          openings={given.openings}
          hint="For example, “Nightly export”."
        />
        <div class="actions">
          <button class="button">Create client</button>
          <a class="button second" href={call.pathOf('clients')}>
            Cancel
          </a>
        </div>
      </RowForm>
    </>
  ),
})

/** The URL can pre-fill values, such as a client’s used scopes. */
export const newClient: PortalHandler = async ({ pool }, call) => {
  const openings = await findOpenings(pool, call.member.integration, call.mode)
  if (!isOpen(call, openings)) return liveConditions(call, 'New client', openings)
  if (call.row === 'createClient') {
    return clientForm(call, { openings, values: credentialOf(call.form, openings).values })
  }
  const { query } = call
  const asked = scopesFromQuery(query, allScopes)
  const initial = emptyCredential(call)
  const values = {
    name: query.get('name') ?? initial.name,
    scopes: asked.length > 0 ? asked : initial.scopes,
    organization: query.get('organization') ?? initial.organization,
  }
  return clientForm(call, { openings, values })
}

export const create: PortalHandler = async (portal, call) => {
  const { form, member, mode, act } = call
  const openings = await findOpenings(portal.pool, member.integration, mode)
  const { values, faults, isValid } = credentialOf(form, openings)
  const given = { openings, values, faults }
  if (!isValid) return clientForm(call, { ...given, status: 422 })
  const organization = values.organization === '' ? null : values.organization
  const asked = { integration: member.integration, mode, ...values, organization }
  const made = await portal.pool.use(connection =>
    createClient(connection, portal.pepper, asked, { ...act, once: form.get('once') }),
  )
  if (made.refusal !== null) {
    return clientForm(call, { ...given, alert: refusalText(made.refusal), status: 409 })
  }
  return secretShownOnce(portal, call, {
    title: `“${values.name}” created`,
    client: made.id,
    secret: made.secret,
  })
}

type NewSecret = { readonly title: string; readonly client: string; readonly secret: string }

/** The only page that shows the secret. */
export const secretShownOnce = (
  { authUrl }: PortalContext,
  call: MemberCall,
  { title, client, secret }: NewSecret,
) => ({
  title: 'Your new secret',
  content: (
    <>
      <Heading title={title} lead="Copy the secret now. You won’t see it again." />
      <Facts of={[['Client ID', <Id of={client} />]]} />
      <section>
        <h2>Secret</h2>
        <Copyable label="Secret" text={secret} />
      </section>
      <section>
        <h2>Get a token</h2>
        <Copyable
          label="Token request"
          text={[
            `curl ${authUrl}${oauthPaths.token} \\`,
            `  -u '${client}:${secret}' \\`,
            '  -d grant_type=client_credentials',
          ].join('\n')}
        />
        <p class="fine">Use the token like a key for up to an hour.</p>
      </section>
      <p class="actions">
        <a class="button" href={call.pathOf('client', { id: client })}>
          Done
        </a>
      </p>
    </>
  ),
})
