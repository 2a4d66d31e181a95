// The page where a person connects a device (RFC 8628 section 3.3). It asks for the device's code,
// then shows who is asking, when and from where. Attackers trick people into entering another
// device's code (section 5.4), so the page points out anything suspicious.
import { Alert, Field, Hidden } from '#http/html/fields.tsx'
import { networkOf } from '#http/limits/rate-limiter.ts'
import { failuresMax } from '../accounts/failed-attempts.ts'
import { listMemberships } from '../accounts/memberships.ts'
import type { Session } from '../accounts/sessions.ts'
import type { DeviceRequest } from '../oauth/approval/devices.ts'
import { normalizedUserCode } from '../oauth/secrets.ts'
import {
  DecisionButtons,
  IntegrationField,
  obstacle,
  Registration,
  Requested,
} from './approval.tsx'
import { auditedCall } from './audit.ts'
import type { PageCall, PageContext, PageHandler } from './context.ts'
import { isSameToken } from '#http/pages/form.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { Actions, Submit } from './parts.tsx'
import { RowForm } from '#http/html/parts.tsx'
import { retryHeaders, spanText } from './steps.ts'
import { agoText, Moment } from './words.tsx'

const shown = (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`

type CodeForm = {
  readonly code: string
  readonly status?: number
  readonly fault?: string
  readonly alert?: string
  readonly retrySeconds?: number
}

const codePage = (call: PageCall, given: CodeForm): PageAnswer => ({
  status: given.status ?? 200,
  headers: retryHeaders(given.retrySeconds),
  content: (
    <>
      <h1>Connect a device</h1>
      <p class="lead">
        {given.code === '' || given.fault !== undefined
          ? 'Enter the code from your device or command line.'
          : 'Continue only if your device or command line shows this code.'}
      </p>
      {given.alert !== undefined && <Alert>{given.alert}</Alert>}
      <RowForm call={call} path="/device">
        <Field
          name="user_code"
          label="Code"
          hint="Eight letters, such as BCDF-GHJK."
          value={given.code}
          fault={given.fault}
          focus
          class="digits letters"
          input={{ maxLength: 20, autocapitalize: 'characters', spellcheck: false }}
        />
        <Actions>
          <Submit>Continue</Submit>
        </Actions>
      </RowForm>
    </>
  ),
})

/** A link may contain a code. The page fills it in but doesn't submit it, because only the person
 *  knows whose code it is. */
export const showDevice: PageHandler = (_context, call) => {
  const code = normalizedUserCode(call.query.get('user_code') ?? '')
  return codePage(call, { code: code === null ? '' : shown(code) })
}

/** The proof, in the link to a request, that this person entered its code. Without the proof,
 *  anyone could guess codes in the URL. */
const proofOf = ({ hmac }: PageContext, person: string, code: string): string =>
  Buffer.from(hmac(`device request\n${person}\n${code}`)).toString('base64url')

export const enterCode: PageHandler = async (context, call) => {
  const { form, session } = call
  const typed = (form.get('user_code') ?? '').slice(0, 40)
  const code = normalizedUserCode(typed)
  if (code === null) {
    const fault = 'Enter eight letters, such as BCDF-GHJK. Codes have no vowels.'
    return codePage(call, { code: typed, fault, status: 422 })
  }
  const refused = await countCode(context, session)
  if (refused !== null) return refused
  const found = await context.authorization.devices.open(code, session.person.id)
  if (found === null) return wrongCode(call, code)
  await forgiveCode(context, session)
  const proof = proofOf(context, session.person.id, code)
  return { redirect: `/device/request?${new URLSearchParams({ user_code: shown(code), proof })}` }
}

/** Counts a code as wrong before it's looked up, so simultaneous guesses count too. */
async function countCode(
  { failedAttempts, sessions }: PageContext,
  { id: session, person }: Session,
): Promise<PageAnswer | null> {
  const inSession = await failedAttempts.count('device_code', session)
  if (inSession > failuresMax('device_code')) {
    await sessions.forgetSecondFactor(session)
    return { redirect: '/sign-in/code?next=%2Fdevice' }
  }
  const ofPerson = await failedAttempts.count('device_code_person', person.id)
  if (ofPerson <= failuresMax('device_code_person')) return null
  const seconds = Math.max(1, await failedAttempts.fullSeconds('device_code_person', person.id))
  return {
    failure: {
      status: 429,
      title: 'Too many wrong codes',
      text: `Try again in ${spanText(seconds)}.`,
      headers: { 'retry-after': String(seconds) },
    },
  }
}

async function forgiveCode({ failedAttempts }: PageContext, { id: session, person }: Session) {
  await failedAttempts.succeeded('device_code_person', person.id, false)
  await failedAttempts.succeeded('device_code', session, false)
}

const wrongCode = (call: PageCall, code: string) =>
  codePage(call, {
    code: shown(code),
    status: 404,
    fault: 'Unknown or expired code. Codes work once, for 10 minutes.',
  })

/** The code in a link with this person's proof. Null without a valid proof. */
function provenCode(context: PageContext, person: string, given: URLSearchParams): string | null {
  const code = normalizedUserCode(given.get('user_code') ?? '')
  if (code === null) return null
  return isSameToken(proofOf(context, person, code), given.get('proof')) ? code : null
}

export const showRequest: PageHandler = async (context, call) => {
  const { query, session } = call
  const person = session.person.id
  const code = provenCode(context, person, query)
  if (code === null) return { redirect: '/device' }
  const asked = await context.authorization.devices.open(code, person)
  return asked === null ? wrongCode(call, code) : requestPage(context, call, code, asked)
}

async function requestPage(
  context: PageContext,
  call: PageCall,
  code: string,
  asked: DeviceRequest,
  fault?: string,
): Promise<PageAnswer> {
  const person = call.session.person.id
  const memberships = await listMemberships(context.pool, person, asked.scopes)
  return {
    title: `Connect ${asked.clientName}`,
    status: fault === undefined ? 200 : 422,
    content: (
      <>
        <h1>Connect “{asked.clientName}”?</h1>
        <div class="host">
          <p>Your device shows</p>
          <p class="host-name code">{shown(code)}</p>
        </div>
        <Registration request={asked} />
        <Origin call={call} asked={asked} now={context.now()} />
        <RowForm call={call} path="/device/request">
          <Hidden name="user_code" value={shown(code)} />
          <Hidden name="proof" value={proofOf(context, person, code)} />
          <Requested request={asked} memberships={memberships} />
          <IntegrationField memberships={memberships} fault={fault} />
          <DecisionButtons label="Approve" off={obstacle(memberships)} />
        </RowForm>
      </>
    ),
  }
}

const Origin = ({ call, asked, now }: { call: PageCall; asked: DeviceRequest; now: number }) => (
  <section class="part">
    <h2>Request</h2>
    <dl class="facts">
      <div>
        <dt>When</dt>
        <dd>
          {agoText(asked.requestedAt, now)}, <Moment at={asked.requestedAt} />
        </dd>
      </div>
      <div>
        <dt>Network</dt>
        <dd>
          <span class="code">{asked.address ?? 'unknown'}</span>,{' '}
          {isSameNetwork(call, asked) ? 'same as yours' : <strong>different from yours</strong>}
        </dd>
      </div>
      <div>
        <dt>Program</dt>
        <dd class="program">{asked.agent ?? 'Unknown'}</dd>
      </div>
    </dl>
  </section>
)

const isSameNetwork = ({ request }: PageCall, { address }: DeviceRequest) =>
  address !== null && networkOf(address) === networkOf(request.address)

export const decideRequest: PageHandler = async (context, call) => {
  const { form: given, session } = call
  const { devices } = context.authorization
  const person = session.person.id
  const proven = provenCode(context, person, given)
  if (proven === null) return { redirect: '/device' }
  if (given.get('decide') === 'deny') {
    const outcome = await devices.deny(proven, auditedCall(call), person)
    return outcome === 'gone' ? wrongCode(call, proven) : { redirect: '/device/denied' }
  }
  const asked = await devices.open(proven, person)
  if (asked === null) return wrongCode(call, proven)
  if (given.get('decide') !== 'approve') return requestPage(context, call, proven, asked)
  const integration = given.get('integration') ?? ''
  const outcome = await devices.approve(proven, auditedCall(call), { person, integration })
  if (outcome === 'approved') return { redirect: '/device/approved' }
  if (outcome === 'gone') return wrongCode(call, proven)
  const fault =
    outcome === 'scope_missing'
      ? 'Choose an account where you can grant every requested scope.'
      : 'Choose an account you’re a member of.'
  return requestPage(context, call, proven, asked, fault)
}

const endPage = (title: string, text: string) => (): PageAnswer => ({
  content: (
    <>
      <h1>{title}</h1>
      <p class="lead">{text}</p>
      <p class="actions">
        <a class="button second" href="/">
          Your agents and devices
        </a>
      </p>
    </>
  ),
})

export const showApproved = endPage(
  'Device connected',
  'Go back to your device. It’ll continue in a few seconds.',
)

export const showDenied = endPage(
  'Device not connected',
  'The device didn’t get access, and its code no longer works.',
)
