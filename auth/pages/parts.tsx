// Parts of the pages of people.
import type { ComponentChildren } from 'preact'
import { Hidden } from '#http/html/fields.tsx'
import type { AnyCall } from './context.ts'

/** What only this browser and session know; the challenge of a passkey is bound to it. */
export const boundTo = (call: AnyCall): string => call.formToken('a passkey')

type ButtonProps = {
  readonly name?: string
  readonly value?: string
  readonly class?: string
  readonly children: ComponentChildren
}

/** The buttons of a form. */
export const Submit = ({ children, class: style = 'button', ...more }: ButtonProps) => (
  <button class={style} {...more}>
    {children}
  </button>
)

export const Actions = ({ children }: { children: ComponentChildren }) => (
  <div class="actions">{children}</div>
)

type PasskeyFormProps = {
  readonly call: AnyCall
  readonly path: string
  readonly kind: 'add' | 'sign_in'
  /** What the browser is asked for, as JSON. */
  readonly options: string
  readonly children: ComponentChildren
}

/** Hidden until the script of the pages knows that the browser has passkeys. */
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
