// The account pages' table. A row without `who: 'anyone'` requires a person whose second factor was
// verified in this session.
import { openTable, type PageRow } from '#http/pages/table.ts'

type Row = PageRow & {
  /** `fresh` requires a factor verified in the last five minutes. `first` requires the same, unless
   *  the person has no factor yet and the page adds their first. */
  readonly factor?: 'fresh' | 'first'
}

const account = { page: '/account' } as const
const fresh = { factor: 'fresh' } as const
const anyone = { who: 'anyone' } as const
const next = { ...anyone, keeps: ['next'] } as const
const token = { ...anyone, keeps: ['token'] } as const
const [get, post] = [{ method: 'GET' }, { method: 'POST' }] as const

export const rows = {
  access: { ...get, path: '/', title: 'Your agents and devices' },
  endAccess: { ...post, path: '/access/end', title: 'Revoke access', page: '/' },
  account: { ...get, path: '/account', title: 'Your account' },
  closing: { ...get, path: '/account/close', title: 'Close your account', ...fresh },
  close: { ...post, path: '/account/close', title: 'Close your account', ...fresh },
  consent: { ...get, path: '/consent/{interaction}', title: 'Access for an app' },
  decideConsent: { ...post, path: '/consent/{interaction}', title: 'Access for an app' },
  device: { ...get, path: '/device', title: 'Connect a device', ...fresh },
  enterCode: {
    ...post,
    path: '/device',
    title: 'Connect a device',
    ...fresh,
    keeps: ['user_code'],
  },
  deviceRequest: { ...get, path: '/device/request', title: 'Connect a device', ...fresh },
  decideDevice: {
    ...post,
    path: '/device/request',
    title: 'Connect a device',
    ...fresh,
    keeps: ['user_code', 'proof'],
  },
  approved: { ...get, path: '/device/approved', title: 'Device connected', ...anyone },
  denied: { ...get, path: '/device/denied', title: 'Device not connected', ...anyone },
  handoff: { ...get, path: '/handoff', title: 'Open the portal or the console', ...anyone },
  removal: { ...get, path: '/factors/remove', title: 'Remove a sign-in method', ...fresh },
  removeFactor: {
    ...post,
    path: '/factors/remove',
    title: 'Remove a sign-in method',
    ...fresh,
    keeps: ['factor'],
  },
  invitation: { ...get, path: '/invitations/accept', title: 'Accept an invitation', ...anyone },
  join: { ...post, path: '/invitations/accept', title: 'Accept an invitation', ...token },
  name: { ...get, path: '/account/name', title: 'Change your name' },
  changeName: { ...post, path: '/account/name', title: 'Change your name' },
  email: { ...get, path: '/account/email', title: 'Change your email', ...fresh },
  sendNewEmail: { ...post, path: '/account/email', title: 'Change your email', ...fresh },
  passkeys: { ...get, path: '/passkeys', title: 'Add a passkey', factor: 'first' },
  addPasskey: {
    ...post,
    path: '/passkeys',
    title: 'Add a passkey',
    factor: 'first',
    keeps: ['next', 'first'],
  },
  password: { ...get, path: '/password', title: 'Change your password', ...fresh },
  changePassword: { ...post, path: '/password', title: 'Change your password', ...fresh },
  recover: { ...get, path: '/recover', title: 'Recover your account', ...anyone },
  sendRecovery: { ...post, path: '/recover', title: 'Send a link', ...anyone },
  recovery: { ...get, path: '/recover/account', title: 'Recover your account', ...anyone },
  answerRecovery: { ...post, path: '/recover/account', title: 'Recover your account', ...token },
  cancelling: { ...get, path: '/recover/cancel', title: 'Stop the recovery', ...anyone },
  cancel: { ...post, path: '/recover/cancel', title: 'Stop the recovery', ...token },
  stopRecovery: { ...post, path: '/recover/stop', title: 'Stop the recovery', ...account },
  recoveryCodes: { ...get, path: '/recovery-codes', title: 'New recovery codes', ...fresh },
  makeCodes: {
    ...post,
    path: '/recovery-codes',
    title: 'New recovery codes',
    ...fresh,
    keeps: ['next'],
  },
  authenticator: {
    ...get,
    path: '/second-factor',
    title: 'Add an authenticator app',
    factor: 'first',
  },
  confirmAuthenticator: {
    ...post,
    path: '/second-factor',
    title: 'Add an authenticator app',
    factor: 'first',
    keeps: ['next', 'first'],
  },
  endSession: { ...post, path: '/sessions/end', title: 'Sign out a session', ...account },
  endSessions: { ...post, path: '/sessions/end-all', title: 'Sign out everywhere', ...account },
  signIn: { ...get, path: '/sign-in', title: 'Sign in', ...anyone },
  enterPassword: { ...post, path: '/sign-in', title: 'Sign in', ...next },
  code: { ...get, path: '/sign-in/code', title: 'Enter your code', ...anyone },
  proveCode: { ...post, path: '/sign-in/code', title: 'Enter your code', ...next },
  signInByPasskey: {
    ...post,
    path: '/sign-in/passkey',
    title: 'Use a passkey',
    ...next,
    page: '/sign-in',
  },
  recoveryCode: {
    ...get,
    path: '/sign-in/recovery-code',
    title: 'Enter a recovery code',
    ...anyone,
  },
  proveRecoveryCode: {
    ...post,
    path: '/sign-in/recovery-code',
    title: 'Enter a recovery code',
    ...next,
  },
  signUp: { ...get, path: '/sign-up', title: 'Create your account', ...anyone },
  sendSignUp: { ...post, path: '/sign-up', title: 'Create your account', ...anyone },
  verifyEmail: { ...get, path: '/verify-email', title: 'Choose a password', ...anyone },
  choosePassword: { ...post, path: '/verify-email', title: 'Choose a password', ...token },
  leaving: { ...get, path: '/sign-out', title: 'Sign out', ...anyone },
  signOut: { ...post, path: '/sign-out', title: 'Sign out', ...anyone },
} as const satisfies Readonly<Record<string, Row>>

export type PageId = keyof typeof rows

export const table = openTable<PageId>(rows)
