// The browser that the tests use.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

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
  return unpackBrowser(folderOfBrowser())
}

/** Other accounts can't run this account's copy, and an upgrade must not find an older one. */
function folderOfBrowser(): string {
  const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  const { devDependencies } = JSON.parse(file) as { devDependencies: Record<string, string> }
  const version = devDependencies['@sparticuz/chromium']
  return path.join(tmpdir(), `chromium-${version}-${process.getuid?.() ?? ''}`)
}

async function unpackBrowser(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  // The package reads this when imported, and then unpacks libraries that a minimal system lacks.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs22.x'
  const { TMPDIR } = process.env
  process.env.TMPDIR = folder
  try {
    const { default: packaged } = await import('@sparticuz/chromium')
    const browser = await packaged.executablePath()
    process.env.FONTCONFIG_FILE = writeFontSettings(folder)
    return browser
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
}

/** The package's own settings name `/tmp/fonts`, wherever it unpacked its fonts. Without any font,
 *  the browser crashes. */
function writeFontSettings(folder: string): string {
  const file = path.join(folder, 'fonts.conf')
  const dir = path.join(folder, 'fonts')
  writeFileSync(
    file,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${dir}</dir>
  <cachedir>${dir}-cache</cachedir>
</fontconfig>
`,
  )
  return file
}
