// The links in emails. The module that owns a link's page signs and reads the link.

/**
 * How a key reached its holder. An `email` key proves that the holder can read email at the
 * address. An `answer` key went to the sender of the request. A `dry_run` key has no call.
 */
export type KeySource = 'email' | 'answer' | 'dry_run'

/** Links to the pages where a person manages a call. */
export type CallLinks = {
  /** The public page with free times. */
  readonly times: string
  /** A call's page, where the person picks a time, reschedules or cancels. */
  call(id: string, source?: KeySource): string
  pick(id: string, source?: KeySource): string
  cancel(id: string): string
  notMe(id: string): string
}

/** The purpose of a link to the account pages. */
export type PersonLink = 'sign_up' | 'invitation' | 'recovery' | 'cancel_recovery'

/** Links to the account pages. */
export type PersonLinks = {
  readonly origin: string
  to(what: PersonLink, id: string): string
}

/** Links to every page that emails to people refer to. */
export type MailLinks = PersonLinks & {
  /** The portal's origin. */
  readonly portal: string
  /** The console's origin. */
  readonly console: string
}
