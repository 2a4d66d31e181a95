/** Pool settings for tests that hold a lock until other calls wait for it. On a slow machine, that
 *  can take longer than a statement may take in production, for example to hash a password. */
export const longWaits = {
  statement_timeout: '55000',
  lock_timeout: '50000',
  idle_in_transaction_session_timeout: '55000',
}
