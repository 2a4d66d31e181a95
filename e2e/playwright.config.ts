import path from 'node:path'
import { defineConfig } from '@playwright/test'
import { browserFlags, findBrowser } from './browser.ts'
import { dataDir, root } from './servers.ts'

const executablePath = await findBrowser()
// Each worker reads this file again, and need not look, or unpack, a second time.
process.env.CHROMIUM_PATH = executablePath

export default defineConfig({
  testDir: '.',
  outputDir: path.join(root, '.data', 'e2e-results'),
  fullyParallel: true,
  // More than the machine has processors: one walk waits for the minute to turn, others for disks.
  workers: 4,
  forbidOnly: true,
  timeout: 120_000,
  // A slow machine is no fault of a page.
  expect: { timeout: 20_000 },
  // The longest waits half a minute for the clock: begun last, it would be waited for alone.
  projects: [
    { name: 'walks', testMatch: 'walks.spec.ts' },
    { name: 'pages', testIgnore: 'walks.spec.ts' },
  ],
  reporter: 'list',
  use: {
    baseURL: process.env.HOUSE_URL ?? '',
    browserName: 'chromium',
    launchOptions: { executablePath, args: browserFlags },
    screenshot: 'only-on-failure',
  },
  webServer: {
    // A house of its own, new each time, on a port that the system chooses.
    command: `rm -rf '${dataDir}' && exec node_modules/.bin/bun gateway/server/start.ts`,
    cwd: root,
    // An empty setting is one that is not set, whatever the shell around us says.
    env: {
      PORT: '0',
      HOST: '',
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      BASE_URL: '',
      KEY_PEPPER: '',
      // Every test calls from one address, and together they are more than one caller.
      SITE_RATE_LIMIT_REQUESTS: '100000',
    },
    wait: { stdout: /Site +(?<house_url>http:\/\/localhost:\d+)\/\s[^]*Ctrl-C stops it/ },
    timeout: 180_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
  },
})
