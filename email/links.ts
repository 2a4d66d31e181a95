// The links that emails contain. The modules that own what a link leads to sign and read them.

/**
 * How a key reached its holder. An email proves that they read the address; an answer reaches
 * the sender of the request. The key of a dry run has no call.
 */
export type KeySource = 'email' | 'answer' | 'dry_run'

/** Links to the pages where a person manages a call. */
export type CallLinks = {
  /** The public page of free times. */
  readonly times: string
  /** The page of one call, where the person picks a time, moves or cancels. */
  call(id: string, source?: KeySource): string
  pick(id: string, source?: KeySource): string
  cancel(id: string): string
  notMe(id: string): string
}

/** What a link into the pages of accounts does. */
export type PersonLink = 'sign_up' | 'invitation' | 'recovery' | 'cancel_recovery'

/** Into the account pages. */
export type PersonLinks = {
  readonly origin: string
  to(what: PersonLink, id: string): string
}

/** Into every page that an email to a person is about. */
export type MailLinks = PersonLinks & {
  /** The portal's origin. */
  readonly portal: string
  /** The console's origin. */
  readonly console: string
}
