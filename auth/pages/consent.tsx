// The page where a person allows an agent to act for them, or denies it (RFC 6749 section 4.1.1).
// Every request prompts the person, even if it repeats an earlier request, because no secret proves
// which program sent it (RFC 8252 section 8.6).
import { findConsent } from '../accounts/access.ts'
import { listMemberships } from '../accounts/memberships.ts'
import type { AgentRequest } from '../oauth/approval/consents.ts'
import { auditedCall } from './audit.ts'
import {
  DecisionButtons,
  IntegrationField,
  obstacle,
  Registration,
  Requested,
} from './approval.tsx'
import type { PageCall, PageContext, PageHandler } from './context.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { RowForm } from '#http/html/parts.tsx'
import { Moment } from './words.tsx'
import { table } from './table.ts'

export const consentPath = (interaction: string): string => table.pathOf('consent', { interaction })

const gone: PageAnswer = {
  failure: {
    status: 404,
    title: 'This request has expired',
    text: 'You already answered this request, or it expired. Start again in the app.',
  },
}

export const showConsent: PageHandler = async (context, call) => {
  const asked = await context.authorization.consents.details(cookiesOf(call))
  if (asked === null) return gone
  return consentPage(context, call, asked)
}

async function consentPage(
  context: PageContext,
  call: PageCall,
  asked: AgentRequest,
  fault?: string,
): Promise<PageAnswer> {
  const id = call.session.person.id
  const memberships = await listMemberships(context.pool, id, asked.scopes)
  const earlier = await findConsent(context.pool, id, asked)
  const isHere = isThisMachine(asked.redirectHost)
  return {
    title: `Access for ${asked.clientName}`,
    status: fault === undefined ? 200 : 422,
    // Callbacks redirect again, to other origins and app schemes.
    formTargets: 'anywhere',
    content: (
      <>
        <h1>Let “{asked.clientName}” act for you?</h1>
        <div class="host">
          <p>You’ll return to</p>
          <p class="host-name">{asked.redirectHost}</p>
          {isHere && <p>A program on this computer</p>}
        </div>
        <Registration request={asked} />
        {earlier !== null && (
          <p>
            You already gave “{asked.clientName}” access to {earlier.integration_name} on{' '}
            <Moment at={earlier.since} />.
          </p>
        )}
        <RowForm call={call} path={call.request.path}>
          <Requested request={asked} memberships={memberships} />
          <IntegrationField memberships={memberships} chosen={earlier?.integration} fault={fault} />
          <DecisionButtons label="Allow" off={obstacle(memberships)} />
        </RowForm>
      </>
    ),
  }
}

const isThisMachine = (host: string) => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host)

export const decideConsent: PageHandler = async (context, call) => {
  const { form, session } = call
  const { consents } = context.authorization
  const person = session.person.id
  const cookies = cookiesOf(call)
  const asked = await consents.details(cookies)
  if (asked === null) return gone
  const decide = form.get('decide')
  if (decide === 'deny') {
    const outcome = await consents.deny(cookies, auditedCall(call), person)
    return outcome === 'gone' ? gone : { redirect: outcome.returnTo }
  }
  const integration = form.get('integration') ?? ''
  if (decide !== 'approve') return consentPage(context, call, asked)
  if (integration === '') {
    return consentPage(context, call, asked, 'Choose an account.')
  }
  const outcome = await consents.approve(cookies, auditedCall(call), { person, integration })
  if (outcome === 'gone') return gone
  if (typeof outcome === 'string') return consentPage(context, call, asked, unfit[outcome])
  return { redirect: outcome.returnTo }
}

const cookiesOf = ({ request }: PageCall) => request.headers.get('cookie')

const unfit = {
  not_a_member: 'Choose an account you’re a member of.',
  scope_missing: 'Choose an account where you can grant every requested scope.',
} as const
