// Home: how far the sandbox has come, what was refused lately, and three charts.
import type { MemberCall, PortalHandler } from '../../context.ts'
import { Heading } from '../../frame/parts.tsx'
import { Checklist } from './checklist.tsx'
import { Charts, Errors } from './overview.tsx'
import { stepsOf } from './steps.ts'

const home: PortalHandler = async ({ api, site }, call) => {
  const { member, mode } = call
  const loop = mode === 'test' ? await call.api('getLoop') : null
  const steps = loop?.problem === null ? stepsOf(api, loop.value) : []
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
        <Charts {...await numbersOf(call)} />
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
    call.api('countRequests'),
    call.api('getDeliveryChart'),
    call.api('countCases'),
  ])
  return { calls: valueOf(calls), deliveries: valueOf(deliveries), cases: valueOf(cases) }
}

async function errorsOf(call: MemberCall) {
  const found = await call.api('listNewestRequests', { query: { outcome: 'error', limit: '5' } })
  return valueOf(found)?.data.slice(0, 5) ?? null
}

export const homeHandlers = { home }
