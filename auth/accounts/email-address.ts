import { formats } from '#contract/api/text-formats.ts'

/** The longest address that mail can be sent to, in characters (RFC 5321, section 4.5.3.1). */
export const emailAddressMax = 254

/** Whether a text has the form of an address; only an email shows that there is one. */
export const isEmailAddress = (text: string): boolean =>
  text.length <= emailAddressMax && formats['email']?.(text) != null
