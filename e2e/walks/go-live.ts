// From the sandbox to live mode: a new integration, the agreement, a clinic that grants some
// scopes, a live key, a case whose order is delivered, the differences, and the grant's end.
import { readScenario } from '../scenarios/read.ts'
import { runThrough } from '../scenarios/run.ts'
import { fileCase, type Filed, readCase } from './care.ts'
import { must, type Step, type Walk, type World } from './world.ts'

/**
 * The scopes to request, by their first words in the portal. The clinic doesn't grant the last
 * scope.
 */
const asked = [
  'Read the organization',
  'Read patients',
  'Create, update and delete patients',
  'Read cases',
  'File, release',
  'Poll the event stream',
  'Read slots',
] as const
const granted = asked.slice(0, -1)
const ticked = (labels: readonly string[], isOn = true) =>
  Object.fromEntries(labels.map(label => [label, isOn]))

type Memory = { live: string; grant: string; key: string; filed: Filed; orders: string[] }

export const goLive: Walk = {
  id: 'go-live',
  title: 'From the sandbox to live mode in the portal and console',
  about:
    'Creates an integration, accepts the agreement, is granted some scopes, treats a synthetic patient and loses the grant. Use a clinic that expects it.',
  needs: [
    'url',
    'portal_url',
    'console_url',
    'key',
    'live_organization',
    'live_owner',
    'staff.admin',
    'staff.clinician',
    'staff.pharmacy',
  ],
  steps: () => {
    const memory: Memory = {
      live: '',
      grant: '',
      key: '',
      filed: { patient: '', case: '', medication: '' },
      orders: [],
    }
    return [...request(memory), ...grantAndKey(memory), ...inLive(memory)]
  },
}

const name = (world: World) => `Walk ${world.unique}`

const request = (memory: Memory): Step[] => [
  [
    '0 the owner creates an account',
    async world => {
      const owner = await world.owner()
      await owner.open('/new')
      await owner.press('Create account', { Name: name(world) })
      const [, integration = ''] = owner.page.url.pathname.split('/')
      must(integration.startsWith('int_'), 'the portal leads to the account')
      memory.live = `/${integration}/live`
    },
  ],
  [
    '3 the owner sees what a live key still needs, and can’t create one',
    async world => {
      const owner = await world.owner()
      await owner.open(`${memory.live}/keys/new`)
      owner.reads('Business associate agreement')
      must(!owner.has('Create key'), 'there is no button to create a key')
    },
  ],
  [
    '2 the owner accepts the agreement',
    async world => {
      const owner = await world.owner()
      await owner.open(`${memory.live}/go-live/accept`)
      const [button = 'Accept version'] = /Accept version [\d-]+/.exec(owner.words) ?? []
      await owner.press(button, {
        'Your full name': 'Grace Rivera',
        'Your title': 'Chief executive',
        'Legal name': 'Rivera Health, Inc.',
        'Legal address': '1600 Stockton Street, San Francisco, CA 94133',
        'I’ve read the agreement': true,
      })
      await owner.open(`${memory.live}/go-live`)
      owner.reads('In effect')
    },
  ],
  [
    '1 the owner requests scopes from a clinic',
    async world => {
      const owner = await world.owner()
      await owner.open(`${memory.live}/organizations/request`)
      await owner.press('Send request', {
        'Clinic ID': world.text('live_organization'),
        ...ticked(asked),
        'Note to the clinic': 'A walk through going live.',
      })
      owner.reads('Pending')
    },
  ],
]

const grantAndKey = (memory: Memory): Step[] => [
  [
    '4 an administrator approves all scopes but one, and the owner sees which',
    async world => {
      const admin = await world.at('admin', '/grants')
      await admin.follow(name(world))
      admin.reads('Version')
      admin.reads('A walk through going live.')
      memory.grant = admin.page.url.pathname.split('/').at(-1) ?? ''
      await admin.press('Approve', { 'Read slots': false })
      admin.reads('Grant approved.')
      const owner = await world.owner()
      await owner.open(`${memory.live}/organizations/${memory.grant}`)
      owner.reads('Not granted')
    },
  ],
  [
    '4 the owner creates a live key, which has only the granted scopes',
    async world => {
      const owner = await world.owner()
      await owner.open(`${memory.live}/keys/new`)
      await owner.press('Create key', { Name: 'Walk', ...ticked(asked) })
      memory.key = /svc_sk_live_\w+/.exec(owner.words)?.[0] ?? ''
      const { body } = await world.call(memory.key, 200, ['GET', '/v1/organization'])
      must(body['mode'] === 'live', 'the key is of live mode')
      const scopes = body['scopes'] as string[]
      must(scopes.length === granted.length, `the scopes are those granted: ${scopes.join(' ')}`)
      must(!scopes.includes('visits:read'), 'what the clinic cleared is not among the scopes')
    },
  ],
]

const inLive = (memory: Memory): Step[] => [
  [
    '5 the integration files a case, and a clinician signs its plan',
    async world => {
      memory.filed = await fileCase(world, memory.key, `Rivera-${world.unique}`)
      const clinician = await world.at('clinician', `/cases/${memory.filed.case}`)
      await clinician.press('Start review')
      await clinician.press('Sign')
      clinician.reads('Plan signed.')
      const found = await readCase(world, memory.key, memory.filed.case)
      must(found['status'] === 'approved', 'the case is approved')
      memory.orders = found['order_ids'] as string[]
      must(memory.orders.length === 1, 'it has one order')
    },
  ],
  [
    '5 the pharmacy ships and delivers the order',
    async world => {
      const [order = ''] = memory.orders
      const pharmacy = await world.at('pharmacy', `/orders/${order}`)
      await pharmacy.press('Mark as shipped', { 'Tracking number': '1Z999' })
      await pharmacy.press('Mark as delivered')
      const { body } = await world.call(memory.key, 200, ['GET', `/v1/orders/${order}`])
      must(body['status'] === 'delivered', 'the order is delivered')
    },
  ],
  [
    '6 to 10 live mode differs from test mode only as documented',
    async world => {
      const scenario = readScenario('integrator-goes-live')
      const base = { BASE: world.text('url'), KEY: world.text('key'), LIVE_KEY: memory.key }
      const results = await runThrough(scenario, base)
      const faults = results.flatMap(one => one.faults.map(fault => `${one.name}: ${fault}`))
      must(results.length === scenario.steps.length && faults.length === 0, faults.join('; '))
    },
  ],
  [
    '11 the clinic revokes the grant, and the next request gets 403',
    async world => {
      const admin = await world.at('admin', `/grants/${memory.grant}`)
      await admin.press('Revoke')
      admin.reads('Grant revoked.')
      await world.call(memory.key, 403, ['GET', '/v1/cases'])
      const owner = await world.owner()
      await owner.open(`${memory.live}/organizations/${memory.grant}`)
      owner.reads('Revoked')
    },
  ],
]
