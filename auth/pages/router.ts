// Which page answers which path. A form is accepted from a page of this origin with its own token
// only.
import type { PageCall, PageContext, PageHandler } from './context.ts'
import { endOneAccess, showAccount } from './account.tsx'
import { assetAt, assetPaths } from './assets.ts'
import { failurePage, notFoundPage, staleFormPage } from './failure.tsx'
import { decideConsent, isConsentPath, showConsent } from './consent.tsx'
import {
  decideRequest,
  enterCode,
  showApproved,
  showDenied,
  showDevice,
  showRequest,
} from './device.tsx'
import { assetHeaders } from '#http/html/assets.ts'
import { formTokenOf, isSameToken } from '#http/pages/form.ts'
import { cookieOf, setCookie } from './forms.ts'
import { handOff } from './handoff.ts'
import { handoffPath } from './handoff-path.ts'
import type { PageAnswer, PageRequest } from './page.ts'
import { answerInvitation, showInvitation } from './joining/invitation.tsx'
import { showSignUp, signUp } from './joining/sign-up.tsx'
import { showVerifyEmail, verifyEmail } from './joining/verify-email.tsx'
import { confirmAuthenticator, showAuthenticator } from './own/authenticator.tsx'
import { endOneSession, removeOneFactor, stopOwnRecovery } from './own/changes.ts'
import { close, showClose } from './own/close.tsx'
import { showOverview } from './own/overview.tsx'
import { showPasskeys, storePasskey } from './own/passkeys.tsx'
import { setPassword, showPassword } from './own/password.tsx'
import { makeRecoveryCodes, showRecoveryCodes } from './own/recovery-codes.tsx'
import { cancel, showCancel } from './recovery/cancel.tsx'
import { answerRecovery, showRecovery } from './recovery/recover-account.tsx'
import { recover, showRecover } from './recovery/request.tsx'
import {
  proveCode,
  proveRecoveryCode,
  showCode,
  showRecoveryCode,
} from './sign-in/second-factor.tsx'
import { showSignIn, signIn } from './sign-in/sign-in.tsx'
import { signInByPasskey } from './sign-in/passkey.ts'
import { showSignOut, signOut } from './sign-out.tsx'

type Route = { readonly get?: PageHandler; readonly post?: PageHandler }

const routes: Readonly<Record<string, Route>> = {
  '/': { get: showAccount },
  '/access/end': { post: endOneAccess },
  '/account': { get: showOverview },
  '/account/close': { get: showClose, post: close },
  '/device': { get: showDevice, post: enterCode },
  '/device/request': { get: showRequest, post: decideRequest },
  '/device/approved': { get: showApproved },
  '/device/denied': { get: showDenied },
  [handoffPath]: { get: handOff },
  '/factors/remove': { post: removeOneFactor },
  '/invitations/accept': { get: showInvitation, post: answerInvitation },
  '/passkeys': { get: showPasskeys, post: storePasskey },
  '/password': { get: showPassword, post: setPassword },
  '/recover': { get: showRecover, post: recover },
  '/recover/account': { get: showRecovery, post: answerRecovery },
  '/recover/cancel': { get: showCancel, post: cancel },
  '/recover/stop': { post: stopOwnRecovery },
  '/recovery-codes': { get: showRecoveryCodes, post: makeRecoveryCodes },
  '/second-factor': { get: showAuthenticator, post: confirmAuthenticator },
  '/sessions/end': { post: endOneSession },
  '/sign-in': { get: showSignIn, post: signIn },
  '/sign-in/code': { get: showCode, post: proveCode },
  '/sign-in/passkey': { post: signInByPasskey },
  '/sign-in/recovery-code': { get: showRecoveryCode, post: proveRecoveryCode },
  '/sign-up': { get: showSignUp, post: signUp },
  '/verify-email': { get: showVerifyEmail, post: verifyEmail },
  '/sign-out': { get: showSignOut, post: signOut },
}

/** Whose names may stand in a log. */
export const pagePaths: readonly string[] = [...Object.keys(routes), ...assetPaths]

const consent: Route = { get: showConsent, post: decideConsent }

function routeAt(path: string): Route | undefined {
  if (isConsentPath(path)) return consent
  return Object.hasOwn(routes, path) ? routes[path] : undefined
}

export async function answerPage(
  context: PageContext,
  request: PageRequest,
): Promise<PageAnswer | 'answered'> {
  const { path, method } = request
  const asset = assetAt(path)
  const route = routeAt(path)
  if (asset === undefined && route === undefined) return notFoundPage(context.site)
  const isRead = method === 'GET' || method === 'HEAD'
  if (asset !== undefined && isRead) {
    return {
      status: 200,
      headers: assetHeaders(asset),
      body: asset.content,
    }
  }
  const handler = isRead ? route?.get : method === 'POST' ? route?.post : undefined
  if (handler === undefined) return methodRefused(context, route)
  return run(context, request, handler)
}

async function run(
  context: PageContext,
  request: PageRequest,
  handler: PageHandler,
): Promise<PageAnswer | 'answered'> {
  const { own, sessions } = context
  const known = cookieOf(request, own.cookie('form').name)
  const browser = known ?? Buffer.from(context.randomBytes(18)).toString('base64url')
  const token = cookieOf(request, own.cookie('session').name)
  const session = token === null ? null : await sessions.find(token)
  const formToken = (path: string) =>
    formTokenOf(context.hmac, { browser, session: session?.id ?? null, path })
  const call: PageCall = { request, session, token, formToken }
  if (request.method === 'POST') {
    const given = request.form.get('form')
    if (!own.isOwn(request) || !isSameToken(formToken(request.path), given)) {
      return staleFormPage(context.site, request.path)
    }
  }
  const answer = await handler(context, call)
  if (known !== null || answer === 'answered') return answer
  return { ...answer, cookies: [...(answer.cookies ?? []), setCookie(context, 'form', browser)] }
}

function methodRefused({ site }: PageContext, route: Route | undefined): PageAnswer {
  const allow = [
    ...(route?.post === undefined || route.get !== undefined ? ['GET', 'HEAD'] : []),
    ...(route?.post === undefined ? [] : ['POST']),
  ].join(', ')
  return failurePage(site, {
    status: 405,
    title: 'This page does not answer that method',
    text: `It answers ${allow}.`,
    headers: { allow },
  })
}
