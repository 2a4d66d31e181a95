// Confirms a second factor at the button that signs, with a code or a passkey, without leaving the
// chart.
import { consoleLimits } from '#contract/console/row.ts'
import type { ConfirmationFault } from '#auth/accounts/confirmations.ts'
import { signInPath } from '#auth/accounts/handed-sign-in.ts'
import { Fault, Hidden } from '#http/html/fields.tsx'
import { secondsText } from '#http/limits/counter.ts'
import type { ConsoleCall, ConsoleContext, ConsoleHandler } from './context.ts'
import type { PageId } from './table.ts'

const boundTo = (call: ConsoleCall) => call.formToken('a passkey')

/** Verifies the form's second factor. Returns null if the second factor is now fresh. */
export function confirmInForm(
  { confirmations }: ConsoleContext,
  call: ConsoleCall,
): Promise<ConfirmationFault | null> {
  const { session, request, form, agent, staff } = call
  return confirmations.confirm(
    {
      session,
      organization: staff.organization,
      call: { requestId: request.id, address: request.address, agent },
      bound: boundTo(call),
    },
    { code: form.get('code') ?? '', passkey: form.get('passkey') ?? '' },
  )
}

/** Options for a form's script that requests a passkey. Challenges are valid for ten minutes. */
export const passkeyOptions: ConsoleHandler = async ({ confirmations }, call) => ({
  file: {
    name: 'passkey.json',
    type: 'application/json',
    content: await confirmations.passkeyOptions(boundTo(call)),
  },
})

/** The confirmation a signing form requires in addition to its content. */
export type Confirmation = {
  readonly hasCode: boolean
  readonly hasPasskey: boolean
  readonly fault: ConfirmationFault | null
}

/** Null if the second factor is fresh, so nothing needs to be confirmed. */
export const confirmationOf = async (
  { confirmations }: ConsoleContext,
  { session, isFactorFresh }: ConsoleCall,
  fault: ConfirmationFault | null,
): Promise<Confirmation | null> =>
  isFactorFresh ? null : { ...(await confirmations.factorsOf(session.person.id)), fault }

export function faultText(fault: ConfirmationFault | null): string | undefined {
  if (fault === null) return undefined
  if (typeof fault === 'object')
    return `Too many attempts. Try again in ${secondsText(fault.retrySeconds)}.`
  return {
    missing: 'Enter a code, or use your passkey.',
    wrong_code: 'Enter the current code from your app. Each code works once.',
    wrong_passkey: 'That passkey didn’t work. Try again, or enter a code.',
  }[fault]
}

const covered = `until ${consoleLimits.signatureMinutes} minutes after your last signature`

/** If a page has several code fields, each field has its own `id`. */
const CodeField = (props: { id: string; fault: string | undefined; focus: boolean }) => {
  const { id, fault, focus } = props
  return (
    <div class="field">
      <label for={id}>Confirm it’s you</label>
      <p class="hint" id={`${id}-hint`}>
        Six-digit code from your app. It covers everything you sign {covered}.
      </p>
      <input
        id={id}
        name="code"
        class="digits"
        autocomplete="one-time-code"
        inputMode="numeric"
        maxLength={9}
        spellcheck={false}
        autofocus={focus}
        aria-describedby={`${id}-hint${fault === undefined ? '' : ` ${id}-fault`}`}
        aria-invalid={fault === undefined ? undefined : 'true'}
      />
      <Fault name={id} fault={fault} />
    </div>
  )
}

type Props = {
  readonly call: ConsoleCall
  readonly of: Confirmation | null
  /** The form's row in the table. */
  readonly name: PageId
  /** The form's ID, needed if a page has several forms for the row. */
  readonly id?: string
  /** Whether the request sent this form. Default: whether it sent a form for the row. */
  readonly isSent?: boolean
}

/** Only the form that was sent says what's wrong. */
export function ConfirmationFields({ call, of, name, id = name, isSent }: Props) {
  if (of === null) return null
  const wasSent = isSent ?? call.row === name
  const fault = wasSent ? faultText(of.fault) : undefined
  return (
    <div class="confirmation">
      {of.hasCode && <CodeField id={`${id}-code`} fault={fault} focus={wasSent} />}
      {of.hasPasskey && (
        <>
          <Hidden name="passkey" value="" />
          <p class="hint" data-passkey={call.pathOf('passkeyOptions')}>
            {of.hasCode
              ? 'Or leave the code empty and use your passkey when you sign.'
              : `You’ll be asked for your passkey when you sign. It covers everything you sign ${covered}.`}
          </p>
          <p class="fault" data-passkey-fault role="alert">
            {of.hasCode ? '' : fault}
          </p>
        </>
      )}
      <p class="fine">
        <a href={signInPath(call.back, true)}>Use a recovery code</a>
      </p>
    </div>
  )
}
