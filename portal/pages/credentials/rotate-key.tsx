// Rotates a key: the replacement is shown once, and the old key keeps working for a while.
import { limits } from '#contract/limits.ts'
import { daySeconds } from '#contract/moments.ts'
import { isScope, type Scope } from '#contract/scopes.ts'
import { rotateKey } from '#auth/administration.ts'
import type { IntegrationKey } from '#auth/integration-keys.ts'
import { Alert, Fault, Select } from '#http/html/fields.tsx'
import type { MemberCall, PortalHandler } from '../../context.ts'
import { Heading, RowForm } from '#http/html/parts.tsx'
import { ScopeChoice } from '#http/html/scope-parts.tsx'
import { refusalText } from '../../refusals.ts'
import { keyOfPath, noSuchKey } from './key.tsx'
import { isWorking, shownKey } from './keys.tsx'
import { scopesFromQuery } from './narrower.tsx'
import { keyShownOnce } from './new-key.tsx'

const longest = `${limits.keyOverlapDaysMax} days`

/** By the seconds that the old key keeps working. */
const overlaps: ReadonlyMap<string, { readonly label: string; readonly end: string }> = new Map([
  ['0', { label: 'Now', end: 'The old key no longer works.' }],
  ['3600', { label: 'In an hour', end: 'The old key works for another hour.' }],
  ['86400', { label: 'In 24 hours', end: 'The old key works for another 24 hours.' }],
  [
    String(limits.keyOverlapDaysMax * daySeconds),
    { label: `In ${longest}`, end: `The old key works for another ${longest}.` },
  ],
])

type RotationForm = {
  readonly scopes: readonly Scope[]
  readonly overlap?: string
  readonly fault?: string
  readonly alert?: string
  readonly status?: number
}

const rotationForm = (call: MemberCall, key: IntegrationKey, given: RotationForm) => ({
  title: `Rotate ${key.name}`,
  status: given.status ?? 200,
  content: (
    <>
      <Heading
        title={`Rotate “${key.name}”`}
        lead={
          <>
            Creates a replacement for <code>{shownKey(call, key)}</code>, shown only once. Both keys
            work until the old one expires, so you can switch your servers without downtime.
          </>
        }
      />
      {given.alert !== undefined && <Alert>{given.alert}</Alert>}
      <RowForm call={call} path={call.pathOf('rotateKey', { id: key.id })} class="stack">
        <Select
          name="overlap"
          label="Old key expires"
          hint="You can revoke it earlier on its page."
          value={given.overlap ?? '86400'}
          options={[...overlaps].map(([value, { label }]) => [value, label] as const)}
        />
        <fieldset>
          <legend>Scopes of the new key</legend>
          <Fault name="scope" fault={given.fault} />
          <ScopeChoice chosen={given.scopes} offered={key.scopes.filter(isScope)} />
        </fieldset>
        <div class="actions">
          <button class="button">Rotate key</button>
          <a class="button second" href={call.pathOf('key', { id: key.id })}>
            Cancel
          </a>
        </div>
      </RowForm>
    </>
  ),
})

const rotationIn = (form: URLSearchParams) => {
  const overlap = form.get('overlap') ?? ''
  return {
    scopes: form.getAll('scope').filter(isScope),
    overlap: overlaps.has(overlap) ? overlap : '86400',
  }
}

/** The new key gets the old key’s scopes, or the subset in the URL. */
export const showRotation: PortalHandler = async (portal, call) => {
  const key = await keyOfPath(portal, call)
  if (key === null) return noSuchKey(call)
  if (!isWorking(key)) return { redirect: call.pathOf('key', { id: key.id }) }
  if (call.row === 'rotateKey') return rotationForm(call, key, rotationIn(call.form))
  const scopes = key.scopes.filter(isScope)
  const narrowed = scopesFromQuery(call.query, scopes)
  return rotationForm(call, key, { scopes: narrowed.length > 0 ? narrowed : scopes })
}

export const rotate: PortalHandler = async (portal, call) => {
  const key = await keyOfPath(portal, call)
  if (key === null) return noSuchKey(call)
  const { form, member, mode, act } = call
  const { scopes, overlap } = rotationIn(form)
  if (scopes.length === 0) {
    const fault = 'Choose at least one scope.'
    return rotationForm(call, key, { scopes, overlap, fault, status: 422 })
  }
  const asked = { id: key.id, integration: member.integration, mode, scopes }
  const made = await portal.pool.use(connection =>
    rotateKey(
      connection,
      portal.pepper,
      { ...asked, overlapSeconds: Number(overlap) },
      { ...act, once: form.get('once') },
    ),
  )
  if (made.refusal !== null) {
    const alert = refusalText(made.refusal)
    return rotationForm(call, key, { scopes, overlap, alert, status: 409 })
  }
  return keyShownOnce(portal, call, {
    title: `“${key.name}” rotated`,
    lead: `Copy the new key now. You won’t see it again. ${overlaps.get(overlap)?.end}`,
    key: made.key,
  })
}
