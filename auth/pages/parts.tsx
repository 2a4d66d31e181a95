// Parts of the pages of people: forms with their token, and notes.
import type { ComponentChildren } from 'preact'
import { Hidden } from '#http/html/fields.tsx'
import type { PageCall } from './context.ts'

/** What only this browser and session know; the challenge of a passkey is bound to it. */
export const boundTo = (call: PageCall): string => call.formToken('a passkey')

type FormProps = {
  readonly call: PageCall
  readonly action: string
  readonly class?: string
  readonly id?: string
  readonly children: ComponentChildren
}

export const Form = ({ call, action, children, ...more }: FormProps) => (
  <form method="post" action={action} novalidate {...more}>
    <Hidden name="form" value={call.formToken(action)} />
    {children}
  </form>
)

type ButtonProps = {
  readonly name?: string
  readonly value?: string
  readonly class?: string
  readonly label?: string
  readonly children: ComponentChildren
}

/** The buttons of a form. */
export const Submit = ({ children, class: style = 'button', label, ...more }: ButtonProps) => (
  <button class={style} aria-label={label} {...more}>
    {children}
  </button>
)

export const Actions = ({ children }: { children: ComponentChildren }) => (
  <div class="actions">{children}</div>
)

export const SignOut = ({ call }: { call: PageCall }) => (
  <Form call={call} action="/sign-out" class="inline">
    <button class="link">Sign out</button>
  </Form>
)

type PasskeyFormProps = FormProps & {
  readonly kind: 'add' | 'sign_in'
  /** What the browser is asked for, as JSON. */
  readonly options: string
}

/** Hidden until the script of the pages knows that the browser has passkeys. */
export const PasskeyForm = ({ call, action, kind, options, children }: PasskeyFormProps) => (
  <form
    method="post"
    action={action}
    novalidate
    hidden
    data-passkey={kind}
    data-options={options}
    class="passkey"
  >
    <Hidden name="form" value={call.formToken(action)} />
    {children}
    <p class="fault" role="alert" />
  </form>
)
