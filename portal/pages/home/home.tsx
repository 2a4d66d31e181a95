// Home: getting-started steps, recent errors and three charts.
import type { MemberCall, PortalHandler } from '../../context.ts'
import { callForClinic } from '../../for-clinic.ts'
import { callForIntegration } from '../../for-integration.ts'
import { ClinicForm } from '../../frame/clinic-choice.tsx'
import { Heading } from '#http/html/parts.tsx'
import { automatic } from '#http/html/polling.ts'
import { liveConditionsOf } from '../organization/go-live.tsx'
import { roleNames } from '../../role-names.ts'
import { Checklist, LiveConditions } from './checklist.tsx'
import { Charts, Errors } from './overview.tsx'
import { stepsOf } from './steps.ts'

const home: PortalHandler = async (portal, call) => {
  const { api, site } = portal
  const { member, mode } = call
  const [loop, conditions, { organizations, ...numbers }, errors] = await Promise.all([
    mode === 'test' ? call.api('getLoop') : null,
    mode === 'live' ? liveConditionsOf(portal, call).then(({ steps }) => steps) : [],
    numbersOf(call),
    errorsOf(call),
  ])
  const steps = loop?.problem === null ? stepsOf(api, loop.value, call.once) : []
  return {
    title: 'Home',
    content: (
      // Returning from a terminal refreshes the page.
      <div
        id="home"
        class="page"
        hx-get={call.pathOf('home')}
        hx-trigger="focus from:window"
        {...automatic}
        hx-select="#home"
        hx-swap="outerMorph"
      >
        <Heading title={member.name} lead={leadOf(call)} />
        {steps.length > 0 && <Checklist call={call} site={site.url} steps={steps} />}
        {conditions.length > 0 && <LiveConditions call={call} conditions={conditions} />}
        <ClinicForm call={call} row="home" organizations={organizations} />
        <Charts {...numbers} />
        <Errors call={call} errors={errors} />
      </div>
    ),
  }
}

const leadOf = ({ mode, member }: MemberCall) =>
  mode === 'test'
    ? `Your role: ${roleNames[member.role]}. Test mode uses synthetic patients, and you play the clinic.`
    : `Your role: ${roleNames[member.role]}. Live mode reaches real patients and clinicians.`

/** Null if the member's role can't read the value. */
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
