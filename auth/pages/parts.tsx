// Components for the account pages.
import type { ComponentChildren } from 'preact'
import { Field, Hidden } from '#http/html/fields.tsx'
import type { AnyCall } from './context.ts'
import { characters } from './forms.ts'

/** A value that only this browser and session have. Passkey challenges are bound to it. */
export const boundTo = (call: AnyCall): string => call.formToken('a passkey')

type ButtonProps = {
  readonly name?: string
  readonly value?: string
  readonly class?: string
  readonly children: ComponentChildren
}

export const Submit = ({ children, class: style = 'button', ...more }: ButtonProps) => (
  <button class={style} {...more}>
    {children}
  </button>
)

export const Actions = ({ children }: { children: ComponentChildren }) => (
  <div class="actions">{children}</div>
)

/** Leaves a form of the person's own account. */
export const CancelLink = () => (
  <a class="button second" href="/account">
    Cancel
  </a>
)

type EmailFieldProps = {
  readonly label: string
  readonly value: string
  readonly autocomplete: string
  readonly fault?: string | undefined
  readonly focus?: boolean
}

/** An email field that the browser doesn't capitalize or correct. */
export const EmailField = (field: EmailFieldProps) => (
  <Field
    {...field}
    name="email"
    type="email"
    input={{ maxLength: characters.email, autocapitalize: 'none', spellcheck: false }}
  />
)

type PasswordFieldProps = {
  readonly name: string
  readonly label: string
  readonly isNew?: boolean
  readonly hint?: string
  readonly fault?: string | undefined
  readonly focus?: boolean
}

/** A password field, which a script can reveal. */
export const PasswordField = ({ isNew = false, ...field }: PasswordFieldProps) => (
  <div class="password">
    <Field
      {...field}
      value={null}
      type="password"
      autocomplete={isNew ? 'new-password' : 'current-password'}
      input={{ maxLength: characters.password }}
    />
    <label class="reveal" data-reveal={field.name} hidden>
      <input type="checkbox" /> Show password
    </label>
  </div>
)

type PasskeyFormProps = {
  readonly call: AnyCall
  readonly path: string
  readonly kind: 'add' | 'sign_in'
  /** The options for the browser, as JSON. */
  readonly options: string
  readonly children: ComponentChildren
}

/** Says why the passkey form is hidden. */
export const NoPasskeys = (advice: { noScript?: string; unsupported?: string }) => (
  <>
    <noscript>
      <p class="note">Passkeys need JavaScript, which is off in this browser.{advice.noScript}</p>
    </noscript>
    <p class="note" data-unsupported hidden>
      This browser doesn’t support passkeys.{advice.unsupported}
    </p>
  </>
)

/** Hidden until the pages' script finds that the browser supports passkeys. */
export const PasskeyForm = ({ call, path, kind, options, children }: PasskeyFormProps) => (
  <form
    method="post"
    action={path}
    novalidate
    hidden
    data-passkey={kind}
    data-options={options}
    class="passkey"
  >
    <Hidden name="form" value={call.formToken(path)} />
    {children}
    <p class="fault" role="alert" />
  </form>
)
