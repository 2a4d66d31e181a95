// Handles the sandbox forms, each through its API operation.
import { isId, prefixes } from '#contract/ids.ts'
import { invalid, type Problem } from '#contract/problems.ts'
import type { MemberCall, PortalHandler } from '../../context.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { synthetic } from '../../synthetic.ts'
import { consentKinds, versionsToday } from './consents.tsx'
import { resetWord } from './controls.tsx'
import { type VisitMove, visitMoves } from './moves.ts'
import { type Failed, sandboxPage } from './sandbox.tsx'

const back = (call: MemberCall, text?: string): PageAnswer => ({
  redirect: call.pathOf('sandbox'),
  ...(text !== undefined && { toast: { text } }),
})

const done = (call: MemberCall, form: Failed['form'], problem: Problem | null, text: string) =>
  problem === null ? back(call, text) : sandboxPage(call, { form, problem })

/** Creates a patient, both consents and a case. A form submitted twice creates them once, because
 *  each request's key is derived from its `once` field. */
export const runLoop: PortalHandler = async (_portal, call) => {
  const once = call.form.get('once') ?? ''
  const keyOf = (part: string) => `${once}.${part}`
  const refused = (problem: Problem) => sandboxPage(call, { form: 'other', problem })
  const patient = await call.api('createPatient', {
    body: synthetic.patient,
    key: keyOf('patient'),
  })
  if (patient.problem !== null) return refused(patient.problem)
  const { id } = patient.value
  const versions = await versionsToday(call)
  const consents: string[] = []
  for (const kind of consentKinds) {
    const consent = await call.api('recordConsent', {
      names: { id },
      body: synthetic.consent(kind, versions[kind]),
      key: keyOf(kind),
    })
    if (consent.problem !== null) return refused(consent.problem)
    consents.push(consent.value.id)
  }
  const filed = await call.api('createCase', {
    body: synthetic.case(id, consents),
    key: keyOf('case'),
  })
  if (filed.problem !== null) return refused(filed.problem)
  return {
    redirect: call.pathOf('sandboxCase', { id: filed.value.id }),
    toast: { text: 'Test case filed' },
  }
}

/** Text that isn't a number stays text, so the API refuses it. */
const numberOf = (text: string | null) => {
  const trimmed = text?.trim() ?? ''
  if (trimmed === '') return null
  return /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : trimmed
}

export const setAutopilot: PortalHandler = async (_portal, call) => {
  const { problem } = await call.api('updateAutopilot', {
    body: {
      approve_after_s: numberOf(call.form.get('approve_after_s')),
      ship_after_s: numberOf(call.form.get('ship_after_s')),
    },
  })
  return done(call, 'autopilot', problem, 'Autopilot saved')
}

export const setClock: PortalHandler = async (_portal, call) => {
  const body = call.form.has('resume')
    ? { resume: true }
    : { advance_by_s: numberOf(call.form.get('advance_by_s')) }
  const { problem } = await call.api('setTestClock', { body })
  return done(call, 'clock', problem, call.form.has('resume') ? 'Clock stopped' : 'Clock advancing')
}

export const publishConsent: PortalHandler = async (_portal, call) => {
  const isWithdrawn = call.form.has('withdraw')
  const version = isWithdrawn ? null : (call.form.get('version') ?? '').trim()
  const body = { kind: call.form.get('kind') ?? '', version }
  const { problem } = await call.api('publishConsentVersion', { body })
  return done(call, 'consents', problem, isWithdrawn ? 'Version withdrawn' : 'Version published')
}

export const resetSandbox: PortalHandler = async (_portal, call) => {
  if (call.form.get('confirm')?.trim() !== resetWord) {
    const message = `Type ${resetWord} to confirm. Nothing was deleted.`
    const problem = invalid([{ pointer: '#/confirm', code: 'not_in_enum', message }])
    return sandboxPage(call, { form: 'reset', problem })
  }
  const { problem } = await call.api('resetSandbox')
  return done(call, 'reset', problem, 'Sandbox reset')
}

const isMove = (name: string): name is VisitMove => Object.hasOwn(visitMoves, name)

export const moveVisit: PortalHandler = async (_portal, call) => {
  const id = call.names['id'] ?? ''
  const name = call.form.get('move') ?? ''
  if (!isMove(name) || !isId(prefixes.visit, id)) return back(call)
  const { problem } = await call.api(visitMoves[name].operation, { names: { id } })
  return done(call, 'other', problem, visitMoves[name].done)
}
