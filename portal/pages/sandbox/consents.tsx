// Sandbox consent documents: the current versions, and the consents of a case's patient.
import { Field, Select } from '#http/html/fields.tsx'
import { Badge, RowForm, Table } from '#http/html/parts.tsx'
import type { ApiResult, MemberCall } from '../../context.ts'
import { synthetic } from '../../synthetic.ts'
import { type Faults, mayMove } from './parts.tsx'

export const consentKinds = ['telehealth', 'privacy'] as const
type Kind = (typeof consentKinds)[number]

const kindWord = { telehealth: 'Telehealth', privacy: 'Privacy' } as const

/** The version for a new consent of each kind: the published one, or the default. */
export async function versionsToday(call: MemberCall): Promise<Record<Kind, string>> {
  const { problem, value } = { value: null, ...(await call.api('getConsentVersions')) }
  const inForce = problem === null ? value : null
  return Object.fromEntries(
    consentKinds.map(kind => [kind, inForce?.[kind] ?? synthetic.consent(kind).version]),
  ) as Record<Kind, string>
}

/** Null if the member’s role can’t read the versions. */
export async function ConsentDocuments(call: MemberCall, faults: Faults | null) {
  const found = await call.api('getConsentVersions')
  if (found.problem !== null) return null
  const inForce = found.value
  const path = call.pathOf('publishConsent')
  return (
    <section class="part" id="consent-documents">
      <h2>Consent documents</h2>
      <p class="quiet">
        Publish a new version to test re-consent. Earlier consents no longer count, and new cases
        are refused until the patient accepts the new version.
      </p>
      <Table
        caption="Consent documents"
        head={['Document', 'Current version', '']}
        rows={consentKinds.map(kind => [
          kindWord[kind],
          inForce[kind] === null ? (
            <span class="quiet">None published. Any version is accepted.</span>
          ) : (
            <code key="version">{inForce[kind]}</code>
          ),
          inForce[kind] !== null && (
            <RowForm key="withdraw" call={call} path={path}>
              <input type="hidden" name="kind" value={kind} />
              <button class="button second small" name="withdraw" value="true">
                Withdraw
              </button>
            </RowForm>
          ),
        ])}
      />
      <RowForm call={call} path={path} class="filters">
        <Select
          name="kind"
          label="Document"
          value={faults === null ? 'privacy' : call.form.get('kind')}
          options={consentKinds.map(kind => [kind, kindWord[kind]] as const)}
        />
        <Field
          name="version"
          label="New version"
          value={faults === null ? '2026-11-01' : call.form.get('version')}
          fault={faults?.['version']}
        />
        <button class="button second small">Publish version</button>
      </RowForm>
    </section>
  )
}

export type Consents = Extract<ApiResult<'listConsents'>, { problem: null }>['value']['data']

/** The newest consent of each kind, even if it's no longer valid. */
export const newestOf = (consents: Consents) =>
  consentKinds.flatMap(kind => consents.findLast(one => one.kind === kind) ?? [])

type CaseConsentsProps = {
  readonly call: MemberCall
  readonly id: string
  readonly consents: Consents
}

/** The patient's consents, and the next steps for your software when the consents are no longer
 *  valid. */
export const CaseConsents = ({ call, id, consents }: CaseConsentsProps) => {
  const isOutdated = newestOf(consents).some(({ status }) => status !== 'current')
  return (
    <section class="part" id="consents">
      <h2>Patient consents</h2>
      <Table
        caption="Patient consents"
        head={['Document', 'Version', 'Status', 'Current version']}
        rows={consents.map(({ kind, version, status, version_in_force: inForce }) => [
          kindWord[kind],
          <code key="version">{version}</code>,
          <Badge key="status" tone={status === 'current' ? 'good' : 'plain'}>
            {status === 'current' ? 'Current' : 'Superseded'}
          </Badge>,
          inForce === null ? <span class="quiet">Any</span> : <code key="force">{inForce}</code>,
        ])}
      />
      {mayMove(call) && (
        <RowForm call={call} path={call.pathOf('renewConsents', { id })}>
          <div class="row-actions">
            {isOutdated && (
              <button class="button small" name="step" value="record">
                Record new consent
              </button>
            )}
            <button class="button second small" name="step" value="file">
              File another case
            </button>
          </div>
        </RowForm>
      )}
    </section>
  )
}
