// The field for a new password, and its rules.
import { passwordFault } from '../accounts/passwords.ts'
import type { PageContext } from './context.ts'
import { PasswordField } from './parts.tsx'

export const NewPassword = ({ fault, focus }: { fault?: string | undefined; focus?: boolean }) => (
  <PasswordField
    name="password"
    label="New password"
    isNew
    hint="At least 12 characters. Try four unrelated words."
    fault={fault}
    focus={focus === true}
  />
)

/** `known` has public facts about the person and their workplace. */
export const newPasswordFault = (
  { site, isStolenPassword }: PageContext,
  password: string,
  known: readonly string[],
): Promise<string | undefined> => passwordFault(password, [site.name, ...known], isStolenPassword)
