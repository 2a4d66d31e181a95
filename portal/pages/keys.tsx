// The keys of an integration: minted with chosen scopes, shown once, revoked.
import { allScopes, isScope } from '#contract/scopes.ts'
import { createKey, revokeKeyOf } from '#auth/administration.ts'
import { type IntegrationKey, listIntegrationKeys } from '#auth/integration-keys.ts'
import { Alert, Fault, Field, Select } from '#http/html/fields.tsx'
import type { MemberCall, PortalContext, PortalHandler } from '../context.ts'
import {
  Badge,
  Confirm,
  Copyable,
  Empty,
  Heading,
  RowForm,
  ScopeChoice,
  Table,
  TimeOrNever,
} from '../frame/parts.tsx'
import { refusalText } from '../refusals.ts'

const showKeys: PortalHandler = async ({ pool }, call) => {
  const keys = await listIntegrationKeys(pool, call.member.integration, call.mode)
  const create = (
    <a class="button" href={call.pathOf('newKey')}>
      New key
    </a>
  )
  return {
    title: 'Keys',
    content: (
      <>
        <Heading
          title="Keys"
          lead={
            call.mode === 'test'
              ? 'A key of test mode reaches the sandbox, where every patient is invented.'
              : 'A key of live mode reaches real patients. It works while the agreement and a clinic’s grant are in force.'
          }
          action={keys.length > 0 ? create : undefined}
        />
        {keys.length === 0 ? (
          <Empty title="No key yet">
            <p>A key is what your server calls the API with. It is shown once, when it is made.</p>
            {create}
          </Empty>
        ) : (
          <Table
            caption="Keys"
            head={['Name', 'State', 'Scopes', 'Last used', 'Created', 'Expires', '']}
            rows={keys.map(key => rowOf(call, key))}
          />
        )}
      </>
    ),
  }
}

const tones = { active: 'good', expired: 'plain', revoked: 'plain' } as const

const rowOf = (call: MemberCall, key: IntegrationKey) => [
  <>
    <strong>{key.name}</strong>
    <br />
    <code>{`svc_sk_${call.mode}_…${key.last4}`}</code>
  </>,
  <Badge tone={tones[key.status]}>{key.status}</Badge>,
  key.scopes.length === allScopes.length ? 'all' : key.scopes.join(', '),
  <TimeOrNever at={key.last_used_at} never="never" />,
  <TimeOrNever at={key.created_at} never="" />,
  <TimeOrNever at={key.expires_at} never="never" />,
  key.status === 'active' && (
    <Confirm
      call={call}
      path={call.pathOf('revokeKey', { id: key.id })}
      label="Revoke"
      question="The next call with this key is refused. This cannot be undone."
      action="Revoke this key"
    />
  ),
]

type KeyForm = {
  readonly name?: string
  readonly scopes?: readonly string[]
  readonly days?: string
  readonly faults?: { name?: string | undefined; scope?: string | undefined }
  readonly alert?: string
  readonly status?: number
}

const expiries = [
  ['', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const

const keyForm = (call: MemberCall, given: KeyForm) => ({
  title: 'New key',
  status: given.status ?? 200,
  content: (
    <>
      <Heading title="New key" lead="It is shown once. Give it no more than it needs." />
      {given.alert !== undefined && <Alert>{given.alert}</Alert>}
      <RowForm call={call} path={call.pathOf('createKey')} class="stack">
        <Field
          name="name"
          label="Name"
          hint="What it is for, such as “checkout server”."
          value={given.name ?? ''}
          fault={given.faults?.name}
          focus
          input={{ maxlength: 200 }}
        />
        <fieldset>
          <legend>Scopes</legend>
          <Fault name="scope" fault={given.faults?.scope} />
          <ScopeChoice chosen={given.scopes ?? allScopes} />
        </fieldset>
        <Select
          name="days"
          label="Expires"
          value={given.days ?? (call.mode === 'live' ? '365' : '')}
          options={expiries}
        />
        <div class="actions">
          <button class="button">Create key</button>
          <a class="button second" href={call.pathOf('keys')}>
            Cancel
          </a>
        </div>
      </RowForm>
    </>
  ),
})

const newKey: PortalHandler = (_portal, call) => keyForm(call, {})

const create: PortalHandler = async (portal, call) => {
  const { form, member, mode } = call
  const name = (form.get('name') ?? '').trim()
  const scopes = form.getAll('scope').filter(isScope)
  const days = form.get('days') ?? ''
  const faults = {
    name: name === '' || name.length > 200 ? 'Name must have 1 to 200 characters.' : undefined,
    scope: scopes.length === 0 ? 'Scopes must have at least one ticked.' : undefined,
  }
  const given = { name, scopes, days, faults }
  if (faults.name !== undefined || faults.scope !== undefined) {
    return keyForm(call, { ...given, status: 422 })
  }
  const expiresAt = /^\d{1,3}$/.test(days)
    ? new Date(portal.now() + Number(days) * 86_400_000).toISOString()
    : null
  const asked = { integration: member.integration, mode, name, scopes, expiresAt }
  const made = await portal.pool.use(connection =>
    createKey(connection, portal.pepper, asked, call.act),
  )
  if (made.refusal !== null) {
    return keyForm(call, { ...given, alert: refusalText(made.refusal), status: 409 })
  }
  return shownOnce(portal, call, name, made.key)
}

/** The only answer that holds the key. */
const shownOnce = ({ api }: PortalContext, call: MemberCall, name: string, key: string) => ({
  title: 'Your new key',
  content: (
    <>
      <Heading title={`“${name}” is ready`} lead="Copy it now: it is not shown again." />
      <Copyable label="The key" text={key} />
      <section>
        <h2>Try it</h2>
        <Copyable
          label="A first call"
          text={`curl ${api}/v1/organization -H 'Authorization: Bearer ${key}'`}
        />
      </section>
      <p class="actions">
        <a class="button" href={call.pathOf('keys')}>
          I have stored it
        </a>
      </p>
    </>
  ),
})

const revoke: PortalHandler = async ({ pool }, call) => {
  const { names, member, act } = call
  // One that is revoked already is what was asked for.
  await pool.use(connection => revokeKeyOf(connection, names['id'] ?? '', member.integration, act))
  return { redirect: call.pathOf('keys') }
}

export const keyHandlers = { keys: showKeys, newKey, createKey: create, revokeKey: revoke }
