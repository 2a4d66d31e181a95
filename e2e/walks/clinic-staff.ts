// A clinic's staff at work: queue, claim, question, plan, refusals, pharmacy, removing a document,
// and the patient's access log. The integration is the one with the live key.
import { attach, fileCase, type Filed, readCase } from './care.ts'
import { must, type Step, type Walk, type World } from './world.ts'

type Memory = { filed: Filed; other: Filed; orders: string[] }

export const clinicStaff: Walk = {
  id: 'clinic-staff',
  title: 'Clinic staff at work in the console',
  about:
    'Files cases for synthetic patients with a live key and has the clinic’s staff work on them. Use a clinic that expects it.',
  needs: [
    'url',
    'console_url',
    'live_key',
    'live_organization',
    'staff.admin',
    'staff.clinician',
    'staff.nurse',
    'staff.pharmacy',
    'staff.records',
    'staff.auditor',
  ],
  steps: () => {
    const nothing: Filed = { patient: '', case: '', medication: '' }
    const memory: Memory = { filed: nothing, other: nothing, orders: [] }
    return [...review(memory), ...signing(memory), ...afterwards(memory)]
  },
}

const liveKey = (world: World) => world.text('live_key')
const statusOf = async (world: World, id: string) =>
  String((await readCase(world, liveKey(world), id))['status'])

const review = (memory: Memory): Step[] => [
  [
    '1 a clinician signs in with a second factor and finds the case in the queue',
    async world => {
      memory.filed = await fileCase(world, liveKey(world), `Haddad-${world.unique}`)
      memory.other = await fileCase(world, liveKey(world), `Lopez-${world.unique}`)
      const clinician = await world.staff('clinician')
      await clinician.open(world.text('console_url'))
      must(clinician.page.url.pathname.endsWith('/queue'), 'the console opens with the queue')
      await find(world, memory.filed.case)
    },
  ],
  [
    '3 the clinician starts the review, and a nurse sees who has the case',
    async world => {
      const clinician = await world.at('clinician', `/cases/${memory.filed.case}`)
      await clinician.press('Start review')
      clinician.reads('Assigned to you until')
      must((await statusOf(world, memory.filed.case)) === 'in_review', 'the case is in review')
      const nurse = await world.at('nurse', `/cases/${memory.filed.case}`)
      nurse.reads('Assigned to Dr. Casey Clinician until')
    },
  ],
  [
    '4 the case page shows consents with versions, the request, answers and history',
    async world => {
      const clinician = await world.at('clinician', `/cases/${memory.filed.case}`)
      for (const text of ['Consents', '2026-09-01', 'Requested', 'Answers', 'History']) {
        clinician.reads(text)
      }
    },
  ],
  [
    '7 the clinician asks the patient a question, and the answer returns the case',
    async world => {
      const clinician = await world.at('clinician', `/cases/${memory.filed.case}`)
      await clinician.press('Send', {
        Ask: 'patient',
        Question: 'Since when?',
      })
      clinician.reads('Question sent.')
      must((await statusOf(world, memory.filed.case)) === 'waiting_on_patient', 'the case waits')
      await world.call(liveKey(world), 200, [
        'POST',
        `/v1/cases/${memory.filed.case}/answers`,
        { answers: [{ answer: 'In May.' }] },
      ])
      await world.at('clinician', `/cases/${memory.filed.case}`)
      clinician.reads('In May.')
      clinician.reads('Assigned to you until')
    },
  ],
]

/** Pages through the queue until the case appears. */
async function find(world: World, id: string): Promise<void> {
  const clinician = await world.at('clinician', '/queue')
  while (!clinician.page.text.includes(`/cases/${id}`)) await clinician.follow('Next page')
}

const signing = (memory: Memory): Step[] => [
  [
    '8 a nurse can’t sign a plan',
    async world => {
      const nurse = await world.at('nurse', `/cases/${memory.other.case}`)
      nurse.reads('Requested')
      must(!nurse.has('Sign'), 'the nurse cannot sign')
    },
  ],
  [
    '5 the clinician signs a plan that isn’t sent to the pharmacy, so there’s no order',
    async world => {
      const clinician = await world.at('clinician', `/cases/${memory.other.case}`)
      await clinician.press('Sign', { 'Send to pharmacy': false })
      clinician.reads('Plan signed.')
      const found = await readCase(world, liveKey(world), memory.other.case)
      must(found['status'] === 'approved', 'the case is approved')
      must((found['order_ids'] as string[]).length === 0, 'it has no order')
    },
  ],
  [
    '5 the clinician changes the quantity, and the page shows both plan and request',
    async world => {
      const clinician = await world.at('clinician', `/cases/${memory.filed.case}`)
      await clinician.press('Sign', { Quantity: '2' })
      const found = await readCase(world, liveKey(world), memory.filed.case)
      memory.orders = found['order_ids'] as string[]
      must(memory.orders.length === 1, 'it has one order')
      clinician.reads('Decision')
      clinician.reads('Requested')
    },
  ],
  [
    '6 the clinician declines a case with a reason that the patient sees',
    async world => {
      const { case: id } = await fileCase(world, liveKey(world), `Silva-${world.unique}`)
      const clinician = await world.at('clinician', `/cases/${id}`)
      clinician.reads('The patient sees this.')
      const reason = 'Please see someone in person first.'
      await clinician.press('Decline', { Reason: reason })
      const found = await readCase(world, liveKey(world), id)
      must(found['status'] === 'declined' && found['reason'] === reason, 'the case has the reason')
    },
  ],
]

const afterwards = (memory: Memory): Step[] => [
  [
    '9 the pharmacy blocks, unblocks, ships and delivers the order',
    async world => {
      const [order = ''] = memory.orders
      const pharmacy = await world.at('pharmacy', `/orders/${order}`)
      await pharmacy.press('Block order', { Reason: 'Out of stock.' })
      await pharmacy.press('Unblock order')
      await pharmacy.press('Mark as shipped', { 'Tracking number': '1Z999' })
      await pharmacy.press('Mark as delivered')
      const { body } = await world.call(liveKey(world), 200, ['GET', `/v1/orders/${order}`])
      must(body['status'] === 'delivered', 'the order is delivered')
    },
  ],
  [
    '10 records staff remove a document, and the integration gets 404',
    async world => {
      const held = await fileCase(world, liveKey(world), `Okafor-${world.unique}`, true)
      const file = await attach(world, liveKey(world), held)
      await world.call(liveKey(world), 200, ['GET', `/v1/files/${file}`])
      const records = await world.at('records', `/files/${file}`)
      await records.press('Request removal', { Reason: 'It is of another patient.' })
      await records.press('Remove document')
      await world.call(liveKey(world), 404, ['GET', `/v1/files/${file}`])
    },
  ],
  [
    '2 an administrator sees grants but no chart',
    async world => {
      const admin = await world.at('admin', '/grants')
      admin.reads('Grants')
      const refused = await world.at('admin', `/cases/${memory.filed.case}`)
      must(refused.page.status === 403, 'the chart is refused to an administrator')
    },
  ],
  [
    '11 an auditor sees who viewed the patient’s chart and downloads the list as CSV',
    async world => {
      const query = `?patient=${memory.filed.patient}`
      const auditor = await world.at('auditor', `/activity${query}`)
      auditor.reads('Staff activity for a patient')
      const { page } = await world.at('auditor', `/activity.csv${query}`)
      must(
        page.status === 200 && page.text.includes('readChart'),
        'the file names who read the chart',
      )
    },
  ],
]
