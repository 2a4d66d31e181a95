// Creates a key with chosen scopes and expiration, and shows the key once.
import { dayMilliseconds } from '#contract/moments.ts'
import { createKey } from '#auth/administration.ts'
import { findOpenings, type Openings } from '#auth/granted-organizations.ts'
import { Alert, Select } from '#http/html/fields.tsx'
import { operationPath } from '#content/reference.ts'
import type { MemberCall, PortalContext, PortalHandler } from '../../context.ts'
import { Copyable, Heading, RowForm } from '#http/html/parts.tsx'
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

type KeyForm = {
  readonly openings: Openings
  readonly values?: CredentialValues
  readonly days?: string
  readonly faults?: CredentialFaults
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
      <Heading
        title="New key"
        lead="You’ll see this key only once. Grant only the scopes it needs."
      />
      {given.alert !== undefined && <Alert>{given.alert}</Alert>}
      <RowForm call={call} path={call.pathOf('createKey')} class="stack">
        <CredentialFields
          values={given.values ?? emptyCredential(call)}
          faults={given.faults ?? {}}
          openings={given.openings}
          hint="For example, “Checkout server”."
        />
        <Select
          name="days"
          label="Expires"
          hint={
            call.mode === 'live'
              ? 'We email owners 30 days, 7 days and 1 day before.'
              : 'Keys without an expiration stay active until you revoke them.'
          }
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

const daysIn = (form: URLSearchParams) =>
  expiries.find(([value]) => value === form.get('days'))?.[0] ?? ''

export const newKey: PortalHandler = async ({ pool }, call) => {
  const openings = await findOpenings(pool, call.member.integration, call.mode)
  if (!isOpen(call, openings)) return liveConditions(call, 'New key', openings)
  if (call.row !== 'createKey') return keyForm(call, { openings })
  const { values } = credentialOf(call.form, openings)
  return keyForm(call, { openings, values, days: daysIn(call.form) })
}

export const create: PortalHandler = async (portal, call) => {
  const { form, member, mode } = call
  const openings = await findOpenings(portal.pool, member.integration, mode)
  const { values, faults, isValid } = credentialOf(form, openings)
  const days = daysIn(form)
  const given = { openings, values, days, faults }
  if (!isValid) return keyForm(call, { ...given, status: 422 })
  const expiresAt =
    days === '' ? null : new Date(portal.now() + Number(days) * dayMilliseconds).toISOString()
  const organization = values.organization === '' ? null : values.organization
  const asked = { integration: member.integration, mode, ...values, organization, expiresAt }
  const made = await portal.pool.use(connection =>
    createKey(connection, portal.pepper, asked, { ...call.act, once: form.get('once') }),
  )
  if (made.refusal !== null) {
    return keyForm(call, { ...given, alert: refusalText(made.refusal), status: 409 })
  }
  return keyShownOnce(portal, call, {
    title: `“${values.name}” created`,
    lead: 'Copy the key now. You won’t see it again.',
    key: made.key,
  })
}

type NewKey = { readonly title: string; readonly lead: string; readonly key: string }

/** The only page that shows the key. */
export const keyShownOnce = (
  { api, site }: PortalContext,
  call: MemberCall,
  { title, lead, key }: NewKey,
) => ({
  title: 'Your new key',
  content: (
    <>
      <Heading title={title} lead={lead} />
      <Copyable label="Key" text={key} />
      <section>
        <h2>Try it</h2>
        <Copyable
          label="First request"
          text={`curl ${api}/v1/organization \\\n  -H 'Authorization: Bearer ${key}'`}
        />
        {call.mode === 'test' && (
          <p>
            No terminal handy?{' '}
            <a
              href={`${site.url}${operationPath('getOrganization')}#try`}
              target="_blank"
              rel="noreferrer"
            >
              Send it in the browser
            </a>{' '}
            and paste your key there. This page stays open.
          </p>
        )}
      </section>
      <p class="actions">
        <a class="button" href={call.pathOf('keys')}>
          Done
        </a>
      </p>
    </>
  ),
})
