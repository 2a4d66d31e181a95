import { formats } from '#contract/api/text-formats.ts'

/** The longest address that mail can be sent to, in characters (RFC 5321, section 4.5.3.1). */
export const emailAddressMax = 254

/** Whether a text looks like an email address. Only an email sent there shows that it exists. */
export const isEmailAddress = (text: string): boolean =>
  text.length <= emailAddressMax && formats['email']?.(text) != null
