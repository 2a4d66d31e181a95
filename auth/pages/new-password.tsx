// The field of a new password, and what it must be.
import { Field } from '#http/html/fields.tsx'
import { passwordFault } from '../accounts/passwords.ts'
import type { PageContext } from './context.ts'

export const NewPassword = ({ fault, focus }: { fault?: string | undefined; focus?: boolean }) => (
  <Field
    name="password"
    value={null}
    label="New password"
    type="password"
    autocomplete="new-password"
    hint="At least 12 characters. Try four unrelated words."
    fault={fault}
    focus={focus === true}
    input={{ minLength: 12, maxLength: 1000 }}
  />
)

/** `known`: what others know of the person, and of where they work. */
export const newPasswordFault = (
  { site, isStolenPassword }: PageContext,
  password: string,
  known: readonly string[],
): Promise<string | undefined> => passwordFault(password, [site.name, ...known], isStolenPassword)
