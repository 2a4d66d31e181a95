// The handler for each row of the table.
import { endOneAccess, showAccess } from './access.tsx'
import { decideConsent, showConsent } from './consent.tsx'
import type { Handlers } from './context.ts'
import {
  decideRequest,
  enterCode,
  showApproved,
  showDenied,
  showDevice,
  showRequest,
} from './device.tsx'
import { handOff } from './handoff.ts'
import { answerInvitation, showInvitation } from './joining/invitation.tsx'
import { showSignUp, signUp } from './joining/sign-up.tsx'
import { showVerifyEmail, verifyEmail } from './joining/verify-email.tsx'
import { confirmAuthenticator, showAuthenticator } from './own/authenticator.tsx'
import { endEverySession, endOneSession, stopOwnRecovery } from './own/changes.ts'
import { close, showClose } from './own/close.tsx'
import { showAccount } from './own/account.tsx'
import { sendNewEmail, setName, showEmail, showName } from './own/name-and-email.tsx'
import { showPasskeys, storePasskey } from './own/passkeys.tsx'
import { setPassword, showPassword } from './own/password.tsx'
import { remove, showRemoval } from './own/remove-factor.tsx'
import { makeRecoveryCodes, showRecoveryCodes } from './own/recovery-codes.tsx'
import { cancel, showCancel } from './recovery/cancel.tsx'
import { answerRecovery, showRecovery } from './recovery/recover-account.tsx'
import { recover, showRecover } from './recovery/request.tsx'
import { signInByPasskey } from './sign-in/passkey.ts'
import {
  proveCode,
  proveRecoveryCode,
  showCode,
  showRecoveryCode,
} from './sign-in/second-factor.tsx'
import { showSignIn, signIn } from './sign-in/sign-in.tsx'
import { showSignOut, signOut } from './sign-out.tsx'

export const handlers: Handlers = {
  access: showAccess,
  endAccess: endOneAccess,
  account: showAccount,
  closing: showClose,
  close,
  consent: showConsent,
  decideConsent,
  device: showDevice,
  enterCode,
  deviceRequest: showRequest,
  decideDevice: decideRequest,
  approved: showApproved,
  denied: showDenied,
  handoff: handOff,
  removal: showRemoval,
  removeFactor: remove,
  invitation: showInvitation,
  join: answerInvitation,
  name: showName,
  changeName: setName,
  email: showEmail,
  sendNewEmail,
  passkeys: showPasskeys,
  addPasskey: storePasskey,
  password: showPassword,
  changePassword: setPassword,
  recover: showRecover,
  sendRecovery: recover,
  recovery: showRecovery,
  answerRecovery,
  cancelling: showCancel,
  cancel,
  stopRecovery: stopOwnRecovery,
  recoveryCodes: showRecoveryCodes,
  makeCodes: makeRecoveryCodes,
  authenticator: showAuthenticator,
  confirmAuthenticator,
  endSession: endOneSession,
  endSessions: endEverySession,
  signIn: showSignIn,
  enterPassword: signIn,
  code: showCode,
  proveCode,
  signInByPasskey,
  recoveryCode: showRecoveryCode,
  proveRecoveryCode,
  signUp: showSignUp,
  sendSignUp: signUp,
  verifyEmail: showVerifyEmail,
  choosePassword: verifyEmail,
  leaving: showSignOut,
  signOut,
}
