// Integrations' requests to the clinic, and an administrator's decisions.

import { isId, prefixes } from '#contract/ids.ts'
import { isScope } from '#contract/scopes.ts'
import { listAgreements } from '#auth/agreements/agreements.ts'
import {
  decideGrantOfClinic,
  type GrantRow,
  listGrantsOfClinic,
  revokeGrantOfClinic,
} from '#auth/grants/grants.ts'
import { Alert, TextArea } from '#http/html/fields.tsx'
import { textOf } from '#http/html/form-text.ts'
import { GrantBadge } from '#http/html/grant-parts.tsx'
import { Confirm, Empty, Facts, Heading, RowForm, Table, Time } from '#http/html/parts.tsx'
import { ScopeChoice, ScopeList } from '#http/html/scope-parts.tsx'
import type { ConsoleContext, ConsoleHandler, ConsoleCall } from '../../context.ts'
import { DoneNote } from '../../done.tsx'
import { missing } from '../../refused.tsx'
import { typedIn } from '#http/pages/typed.tsx'
import { factsOf } from './grant-facts.tsx'
import { refusalText } from './refusals.ts'

const said = {
  approved: 'Grant approved. We emailed the integration’s owners.',
  declined: 'Request declined. We emailed the integration’s owners.',
  revoked: 'Grant revoked. The integration’s requests now fail.',
}

const grantsOf = ({ pool }: ConsoleContext, { staff }: ConsoleCall) =>
  pool.use(connection => listGrantsOfClinic(connection, staff.organization))

const grants: ConsoleHandler = async (context, call) => {
  const [all, week] = [await grantsOf(context, call), await call.perform('listIntegrations')]
  const open = all.filter(({ status }) => status === 'pending')
  const others = all.filter(({ status }) => status !== 'pending')
  return {
    title: 'Grants',
    content: (
      <>
        <Heading
          title="Grants"
          lead="Integrations with access to the patients they bring to this clinic."
        />
        <div id="results" class="stack-of">
          {all.length === 0 && (
            <Empty title="No requests yet">
              <p>
                Share this clinic’s ID, <code>{call.staff.organization}</code>, with an integration.
                Its request appears here, and you have 30 days to decide.
              </p>
            </Empty>
          )}
          {open.length > 0 && <Requests call={call} of={open} />}
          {others.length > 0 && <Others call={call} of={others} />}
        </div>
        {week.problem === null && week.value.data.length > 0 && (
          <section>
            <h2>Last 7 days</h2>
            <Table
              caption="What each integration created in the last 7 days"
              head={['Integration', 'Patients', 'Cases', 'Messages', 'Visits', 'Last case']}
              rows={week.value.data.map(one => [
                one.integration.name,
                one.patients,
                one.cases,
                one.messages,
                one.visits,
                one.last_case_at === null ? (
                  <span class="quiet">Never</span>
                ) : (
                  <Time at={one.last_case_at} />
                ),
              ])}
            />
          </section>
        )}
      </>
    ),
  }
}

type ListProps = { readonly call: ConsoleCall; readonly of: readonly GrantRow[] }

const nameOf = (call: ConsoleCall, grant: GrantRow) => (
  <>
    <a href={call.pathOf('grant', { id: grant.id })}>{grant.integration_name}</a>
    <br />
    <code>{grant.integration}</code>
  </>
)

const Requests = ({ call, of }: ListProps) => (
  <section>
    <h2>Requests</h2>
    <Table
      caption="Requests"
      head={['Integration', 'Scopes', 'Requested', 'Expires']}
      rows={of.map(grant => [
        nameOf(call, grant),
        `${grant.requested_scopes?.length ?? 0} requested`,
        <Time at={grant.created_at} />,
        grant.lapses_at === null ? '' : <Time at={grant.lapses_at} />,
      ])}
    />
  </section>
)

/** Nobody decided a request that expired. */
const byOf = ({ ended_by_name, decided_by_name, requested_scopes }: GrantRow) =>
  ended_by_name ?? decided_by_name ?? (requested_scopes === null ? 'Operator' : '—')

const Others = ({ call, of }: ListProps) => (
  <section>
    <h2>Grants and past requests</h2>
    <Table
      caption="Grants and past requests"
      head={['Integration', 'Status', 'Scopes', 'By', 'Since']}
      rows={of.map(grant => [
        nameOf(call, grant),
        <GrantBadge key="status" status={grant.status} />,
        `${grant.scopes.length} granted`,
        byOf(grant),
        <Time at={grant.ended_at ?? grant.decided_at ?? grant.created_at} />,
      ])}
    />
  </section>
)

const noGrant = (call: ConsoleCall) => missing('Grant not found', call.pathOf('grants'), 'Grants')

type GrantsState = {
  readonly alert?: string
  readonly fault?: string | undefined
  readonly status?: number
}

async function grantPage(context: ConsoleContext, call: ConsoleCall, shown: GrantsState = {}) {
  const grant = (await grantsOf(context, call)).find(({ id }) => id === call.names['id'])
  if (grant === undefined) return noGrant(call)
  const agreements = await context.pool.use(connection =>
    listAgreements(connection, grant.integration),
  )
  const { status, scopes, requested_scopes: requested } = grant
  return {
    title: grant.integration_name,
    status: shown.status ?? 200,
    content: (
      <>
        <Heading title={grant.integration_name} lead={<GrantBadge status={grant.status} />} />
        {shown.alert !== undefined && <Alert>{shown.alert}</Alert>}
        <DoneNote call={call} said={said} />
        <Facts of={factsOf(grant, agreements)} />
        {scopes.length > 0 && (
          <section>
            <h2>Granted</h2>
            <ScopeList of={scopes} />
          </section>
        )}
        {status !== 'pending' && requested !== null && (
          <section>
            <h2>Requested</h2>
            <ScopeList of={requested} />
          </section>
        )}
        {status === 'pending' && <Decision call={call} grant={grant} shown={shown} />}
        {status === 'active' && (
          <Confirm
            call={call}
            path={call.pathOf('revokeGrant', { id: grant.id })}
            label="Revoke grant"
            question={`Requests from ${grant.integration_name} for this clinic fail, and its webhooks stop. Your records stay.`}
            action="Revoke"
          />
        )}
      </>
    ),
  }
}

type DecisionProps = { call: ConsoleCall; grant: GrantRow; shown: GrantsState }

const Decision = ({ call, grant, shown }: DecisionProps) => {
  const requested = (grant.requested_scopes ?? []).filter(isScope)
  return (
    <section>
      <h2>Decide</h2>
      <RowForm call={call} path={call.pathOf('decideGrant', { id: grant.id })} class="stack">
        <fieldset>
          <legend>Scopes</legend>
          <p class="hint">Every requested scope is selected. Clear any you don’t want to grant.</p>
          <ScopeChoice
            offered={requested}
            chosen={call.row === 'decideGrant' ? call.form.getAll('scope') : requested}
          />
        </fieldset>
        <TextArea
          name="note"
          label="Note to the integration"
          isOptional
          hint="The integration’s owners read this. Don’t name a patient."
          value={typedIn(call, 'decideGrant', 'note') ?? ''}
          fault={shown.fault}
        />
        <div class="actions">
          <button class="button">Approve</button>
          <button class="button second" name="decision" value="decline">
            Decline
          </button>
        </div>
      </RowForm>
    </section>
  )
}

const decide: ConsoleHandler = async (context, call) => {
  const id = call.names['id'] ?? ''
  if (!isId(prefixes.grant, id)) return noGrant(call)
  const { value: note, fault } = textOf(call.form, 'note', 1000)
  if (fault !== undefined) return grantPage(context, call, { fault, status: 422 })
  const chosen = call.form.getAll('scope')
  const scopes = chosen.filter(isScope)
  const given = call.form.get('decision') === 'decline' ? null : scopes
  // Without an unknown scope, the grant would be smaller than the one that was approved.
  if (given !== null && given.length < chosen.length) return otherScopes(context, call)
  const { refusal } = await context.pool.use(connection =>
    decideGrantOfClinic(connection, { id, scopes: given, note }, call.act),
  )
  if (refusal === null) {
    const done = given === null ? 'declined' : 'approved'
    return { redirect: call.pathOf('grant', { id }, { done }) }
  }
  if (refusal === 'unknown_scope' && chosen.length > 0) return otherScopes(context, call)
  return grantPage(context, call, { alert: refusalText(refusal), status: 409 })
}

const otherScopes = (context: ConsoleContext, call: ConsoleCall) =>
  grantPage(context, call, {
    alert: 'This request doesn’t include every scope you chose. Review the scopes, then approve.',
    status: 409,
  })

const revoke: ConsoleHandler = async (context, call) => {
  const id = call.names['id'] ?? ''
  if (!isId(prefixes.grant, id)) return noGrant(call)
  const { refusal } = await context.pool.use(connection =>
    revokeGrantOfClinic(connection, id, call.act),
  )
  if (refusal !== null)
    return grantPage(context, call, { alert: refusalText(refusal), status: 409 })
  return { redirect: call.pathOf('grant', { id }, { done: 'revoked' }) }
}

export const grantHandlers = {
  grants,
  grant: (context, call) => grantPage(context, call),
  decideGrant: decide,
  revokeGrant: revoke,
} satisfies Record<string, ConsoleHandler>
