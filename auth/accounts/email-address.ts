import { formats } from '#contract/api/text-formats.ts'

/** The maximum length of an email address in characters (RFC 5321, section 4.5.3.1). */
export const emailAddressMax = 254

/** Whether text looks like an email address. Only sending an email to the address shows whether it
 *  exists. */
export const isEmailAddress = (text: string): boolean =>
  text.length <= emailAddressMax && formats['email']?.(text) != null
