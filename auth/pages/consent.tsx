// The page where a person lets an agent act for them, or does not (RFC 6749 section 4.1.1). Every
// request is asked, also one like an earlier one: no secret proves which program it is from (RFC
// 8252 section 8.6).
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
import { failurePage } from './failure.tsx'
import { ownPage } from './own/own-page.tsx'
import { type PageAnswer, redirect } from './page.ts'
import { Form } from './parts.tsx'
import { provenBefore } from './steps.ts'
import { Moment } from './words.tsx'

export const consentPath = (interaction: string): string => `/consent/${interaction}`

export const isConsentPath = (path: string): boolean => /^\/consent\/[\w-]{10,64}$/.test(path)

const gone = ({ site }: PageContext): PageAnswer =>
  failurePage(site, {
    status: 404,
    title: 'This request has ended',
    text: 'It was answered, or it waited for too long. Start again in the application that asked.',
  })

export const showConsent: PageHandler = async (context, call) => {
  const asked = await context.authorization.consents.details(...call.request.raw)
  if (asked === null) return gone(context)
  const before = await provenBefore(context, call, call.request.path)
  if (before !== null) return redirect(before)
  return consentPage(context, call, asked)
}

async function consentPage(
  context: PageContext,
  call: PageCall,
  asked: AgentRequest,
  fault?: string,
): Promise<PageAnswer> {
  const id = call.session?.person.id ?? ''
  const memberships = await listMemberships(context.pool, id, asked.scopes)
  const earlier = await findConsent(context.pool, id, asked)
  const isHere = isThisMachine(asked.redirectHost)
  return ownPage(context, call, {
    title: `Access for ${asked.clientName}`,
    status: fault === undefined ? 200 : 422,
    formTargets: [asked.redirectUri],
    content: (
      <>
        <h1>“{asked.clientName}” asks to act for you</h1>
        <div class="host">
          <p>Your answer goes to</p>
          <p class="host-name">{asked.redirectHost}</p>
          {isHere && <p>a program on the computer that you are using</p>}
        </div>
        <Registration request={asked} />
        {earlier !== null && (
          <p>
            You gave “{asked.clientName}” at this address access to {earlier.integration_name} on{' '}
            <Moment at={earlier.since} />.
          </p>
        )}
        <Form call={call} action={call.request.path}>
          <Requested request={asked} memberships={memberships} />
          <IntegrationField memberships={memberships} chosen={earlier?.integration} fault={fault} />
          <DecisionButtons label="Allow" off={obstacle(memberships)} />
        </Form>
      </>
    ),
  })
}

const isThisMachine = (host: string) => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host)

export const decideConsent: PageHandler = async (context, call) => {
  const { request, session } = call
  const { consents } = context.authorization
  const before = await provenBefore(context, call, request.path)
  if (before !== null || session === null) return redirect(before ?? '/sign-in')
  const asked = await consents.details(...request.raw)
  if (asked === null) return gone(context)
  const decide = request.form.get('decide')
  if (decide === 'deny') {
    const outcome = await consents.deny(...request.raw, auditedCall(call), session.person.id)
    return outcome === 'gone' ? gone(context) : 'answered'
  }
  const integration = request.form.get('integration') ?? ''
  if (decide !== 'approve') return consentPage(context, call, asked)
  if (integration === '') {
    return consentPage(context, call, asked, 'Integration must be one of yours.')
  }
  const decision = { person: session.person.id, integration }
  const outcome = await consents.approve(...request.raw, auditedCall(call), decision)
  if (outcome === 'approved') return 'answered'
  if (outcome === 'gone') return gone(context)
  return consentPage(context, call, asked, unfit[outcome])
}

const unfit = {
  not_a_member: 'Integration must be one of yours.',
  scope_missing: 'Integration must be one for which you can give everything that is asked for.',
} as const
