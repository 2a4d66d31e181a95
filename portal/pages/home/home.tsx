// Home: how far the sandbox has come, what was refused lately, and three charts.
import type { MemberCall, PortalHandler } from '../../context.ts'
import { callForClinic } from '../../for-clinic.ts'
import { callForIntegration } from '../../for-integration.ts'
import { ClinicChoice } from '../../frame/clinic-choice.tsx'
import { Heading } from '#http/html/parts.tsx'
import { liveConditionsOf } from '../organization/go-live.tsx'
import { Checklist, LiveConditions } from './checklist.tsx'
import { Charts, Errors } from './overview.tsx'
import { stepsOf } from './steps.ts'

const home: PortalHandler = async (portal, call) => {
  const { api, site } = portal
  const { member, mode } = call
  const loop = mode === 'test' ? await call.api('getLoop') : null
  const steps = loop?.problem === null ? stepsOf(api, loop.value) : []
  const conditions = mode === 'live' ? (await liveConditionsOf(portal, call)).steps : []
  const { organizations, ...numbers } = await numbersOf(call)
  return {
    title: 'Home',
    content: (
      // Who comes back from a terminal sees what its calls did.
      <div
        id="home"
        class="page"
        hx-get={call.pathOf('home')}
        hx-trigger="focus from:window"
        hx-select="#home"
        hx-swap="outerHTML"
      >
        <Heading title={member.name} lead={leadOf(call)} />
        {steps.length > 0 && <Checklist call={call} site={site.url} steps={steps} />}
        {conditions.length > 0 && <LiveConditions call={call} conditions={conditions} />}
        {organizations.length > 0 && (
          <form class="filters" method="get" action={call.pathOf('home')}>
            <ClinicChoice
              organizations={organizations}
              value={call.query.get('organization') ?? undefined}
            />
            <button class="button second small">Show</button>
          </form>
        )}
        <Charts {...numbers} />
        <Errors call={call} errors={await errorsOf(call)} />
      </div>
    ),
  }
}

const leadOf = ({ mode, member }: MemberCall) =>
  mode === 'test'
    ? `You are ${member.role}. In test mode every patient is invented, and you play the clinic.`
    : `You are ${member.role}. Live mode has real patients, and clinicians decide.`

/** What the role of the member may not read is left out of the page. */
const valueOf = <T,>(result: { problem: null; value: T } | { problem: object }): T | null =>
  'value' in result ? result.value : null

async function numbersOf(call: MemberCall) {
  const [calls, deliveries, cases] = await Promise.all([
    callForClinic(call, 'countRequests', {}),
    callForIntegration(call, 'getDeliveryChart'),
    callForClinic(call, 'countCases', {}),
  ])
  return {
    organizations: calls.organizations,
    calls: valueOf(calls.found),
    deliveries: valueOf(deliveries),
    cases: valueOf(cases.found),
  }
}

async function errorsOf(call: MemberCall) {
  const query = { outcome: 'error', limit: '5' }
  const { found } = await callForClinic(call, 'listNewestRequests', { query })
  return valueOf(found)?.data.slice(0, 5) ?? null
}

export const homeHandlers = { home }
