// The browser that the tests use.
import { existsSync } from 'node:fs'

// Root cannot use the sandbox. The other flags keep the browser from contacting other hosts.
export const browserFlags = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-first-run',
  '--no-default-browser-check',
  '--no-pings',
]

/**
 * Returns the browser from a package. This browser is the same everywhere and omits the slowest
 * parts of a desktop browser. The package is built for one platform. On any other platform, or with
 * CHROMIUM_PATH, the tests use an installed browser.
 */
export async function findBrowser(): Promise<string> {
  const named = process.env.CHROMIUM_PATH
  if (named !== undefined && named !== '') return named
  const installed = '/usr/bin/chromium'
  const isTheirKind = process.platform === 'linux' && process.arch === 'x64'
  if (!isTheirKind && existsSync(installed)) return installed
  // The package reads this when imported, and then unpacks libraries that a minimal system lacks.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs22.x'
  const { default: packaged } = await import('@sparticuz/chromium')
  return packaged.executablePath()
}
