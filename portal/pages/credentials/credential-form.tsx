// The fields shared by new keys and new clients, and live mode's requirements for both.
import { allScopes, isScope, type Scope } from '#contract/scopes.ts'
import type { Openings } from '#auth/granted-organizations.ts'
import { Fault, Field, Select } from '#http/html/fields.tsx'
import type { ComponentChildren } from 'preact'
import type { MemberCall } from '../../context.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { lineOf } from '#http/html/form-text.ts'
import { Badge, Heading } from '#http/html/parts.tsx'
import { ScopeChoice } from '#http/html/scope-parts.tsx'

export type CredentialValues = {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly organization: string
}

export type CredentialFaults = {
  readonly name?: string | undefined
  readonly scope?: string | undefined
  readonly organization?: string | undefined
}

/** In live mode, each scope is a deliberate choice; the sandbox has no patients to protect. */
export const emptyCredential = ({ mode }: Pick<MemberCall, 'mode'>): CredentialValues => ({
  name: '',
  scopes: mode === 'live' ? [] : allScopes,
  organization: '',
})

const nameMax = 200

export function credentialOf(form: URLSearchParams, { organizations }: Openings) {
  const { value: name, fault: nameFault } = lineOf(form, 'name', 'Name', nameMax)
  const scopes = form.getAll('scope').filter(isScope)
  const organization = form.get('organization') ?? ''
  const isKnown = organization === '' || organizations.some(({ id }) => id === organization)
  const values: CredentialValues = { name, scopes, organization }
  const faults: CredentialFaults = {
    name: nameFault,
    scope: scopes.length === 0 ? 'Choose at least one scope.' : undefined,
    organization: isKnown ? undefined : 'Choose a clinic that granted you access.',
  }
  const isValid = Object.values(faults).every(fault => fault === undefined)
  return { values, faults, isValid }
}

export const CredentialFields = (props: {
  values: CredentialValues
  faults: CredentialFaults
  openings: Openings
  /** An example name. */
  hint: string
}) => (
  <>
    <Field
      name="name"
      label="Name"
      hint={props.hint}
      value={props.values.name}
      fault={props.faults.name}
      focus
      input={{ maxlength: nameMax }}
    />
    <fieldset>
      <legend>Scopes</legend>
      <Fault name="scope" fault={props.faults.scope} />
      <ScopeChoice chosen={props.values.scopes} />
    </fieldset>
    <Select
      name="organization"
      label="Clinic"
      hint="If you choose one, requests for any other clinic are refused."
      value={props.values.organization}
      fault={props.faults.organization}
      options={[
        ['', 'All clinics that grant access'],
        ...props.openings.organizations.map(({ id, name }) => [id, name] as const),
      ]}
    />
  </>
)

/** Whether a credential can be created in this mode. */
export const isOpen = ({ mode }: Pick<MemberCall, 'mode'>, openings: Openings): boolean =>
  mode === 'test' || (openings.isAgreed && openings.organizations.length > 0)

/** Shown instead of a form that would be refused. */
export const liveConditions = (
  call: MemberCall,
  title: string,
  { isAgreed, organizations }: Openings,
): PageAnswer => ({
  title,
  content: (
    <>
      <Heading
        title={title}
        lead="Live mode reaches real patients. You need both of these first."
      />
      <ul class="steps">
        <Condition isMet={isAgreed} title="Business associate agreement">
          {isAgreed ? (
            'Accepted and in effect.'
          ) : (
            <>
              An owner has to accept it for your account.{' '}
              <a href={call.pathOf('goLive')}>Go live</a>
            </>
          )}
        </Condition>
        <Condition isMet={organizations.length > 0} title="A clinic’s live grant">
          {organizations.length > 0 ? (
            organizations.map(({ name }) => name).join(', ')
          ) : (
            <>
              A clinic approves the scopes you request.{' '}
              <a href={call.pathOf('organizations')}>Request access</a>
            </>
          )}
        </Condition>
      </ul>
      <p class="actions">
        <a class="button second" href={call.pathOf('goLive')}>
          Go live
        </a>
      </p>
    </>
  ),
})

const Condition = (props: { isMet: boolean; title: string; children: ComponentChildren }) => (
  <li class={props.isMet ? 'done' : undefined}>
    <span class="mark" aria-hidden="true" />
    <div>
      <strong>{props.title}</strong>{' '}
      <Badge tone={props.isMet ? 'good' : 'waiting'}>{props.isMet ? 'Done' : 'Missing'}</Badge>
      <p>{props.children}</p>
    </div>
  </li>
)
