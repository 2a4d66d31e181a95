// A platform for the CLI's tests: an installation as created by `npm start`, with a worker and the
// sandbox owner's browser.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { openBrowser } from '#auth/testing/browser.ts'
import { decideRequest, enterCode } from '#auth/testing/devices.ts'
import { openInstallation } from '#sweeps/testing/installation.ts'

const root = path.join(import.meta.dir, '../../..')

export type CliPlatform = Awaited<ReturnType<typeof openCliPlatform>>

export async function openCliPlatform() {
  const data = mkdtempSync(path.join(tmpdir(), 'svc-platform-'))
  const installation = await openInstallation({
    DATA_DIR: data,
    RATE_LIMIT_REQUESTS: '1000000',
    WEBHOOK_ALLOW: '127.0.0.1',
  })
  const { sandbox, serving, databaseUrl } = installation
  if (sandbox?.owner === undefined) throw new Error('the installation has no owner')
  const { owner } = sandbox
  const worker = Bun.spawn([process.execPath, path.join(root, 'gateway/commands/worker.ts')], {
    cwd: root,
    stdout: 'ignore',
    stderr: 'ignore',
    env: {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: databaseUrl,
      DATA_DIR: data,
      BASE_URL: serving.base,
      WEBHOOK_ALLOW: '127.0.0.1',
    },
  })
  const app = new TOTP({ secret: Secret.fromBase32(owner.totp_secret) })
  const browser = openBrowser(serving.urls.auth)

  /** An authenticator code works once, so the browser stays signed in. */
  async function signIn(): Promise<void> {
    if (browser.cookies.size > 0) return
    await browser.get('/device')
    await browser.submit('/sign-in', { email: owner.email, password: owner.password })
    await browser.submit('/sign-in/code', { code: app.generate() })
  }

  return {
    base: serving.base,
    key: sandbox.key,
    newKey: installation.newKey,
    /** Approves or denies a device's code as the owner; returns the resulting page's URL. */
    async decide(code: string, decide: 'approve' | 'deny'): Promise<string> {
      await signIn()
      await enterCode(browser, code)
      return (await decideRequest(browser, { decide })).url
    },
    async close() {
      worker.kill()
      await worker.exited
      await installation.close()
      rmSync(data, { recursive: true, force: true })
    },
  }
}
