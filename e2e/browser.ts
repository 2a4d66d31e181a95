// The browser of the tests.
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
 * The browser of a package: the same one everywhere, without the parts of a desktop browser that
 * take most of its time. It is built for one platform; on any other, or with CHROMIUM_PATH, an
 * installed browser is used.
 */
export async function findBrowser(): Promise<string> {
  const named = process.env.CHROMIUM_PATH
  if (named !== undefined && named !== '') return named
  const installed = '/usr/bin/chromium'
  const isTheirKind = process.platform === 'linux' && process.arch === 'x64'
  if (!isTheirKind && existsSync(installed)) return installed
  // Read while the package is imported, which then unpacks the libraries that a bare system lacks.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs22.x'
  const { default: packaged } = await import('@sparticuz/chromium')
  return packaged.executablePath()
}
