// The browser that looks at the house.
import { existsSync } from 'node:fs'

// Root has no sandbox to enter. The rest keeps the browser from speaking to anybody but the house.
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
 * The browser that comes with our packages: the same one everywhere, and without the parts of a
 * desktop browser that cost most of its time. It is made for one kind of machine; any other, and
 * whoever names one, has their own.
 */
export async function findBrowser(): Promise<string> {
  const named = process.env.CHROMIUM_PATH
  if (named !== undefined && named !== '') return named
  const installed = '/usr/bin/chromium'
  const isTheirKind = process.platform === 'linux' && process.arch === 'x64'
  if (!isTheirKind && existsSync(installed)) return installed
  // Read while the package is imported: it then unpacks the libraries that a bare machine lacks.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs22.x'
  const { default: packaged } = await import('@sparticuz/chromium')
  return packaged.executablePath()
}
