import { readFileSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from '@playwright/test'
import { browserFlags, findBrowser } from './browser.ts'
import { receiverSettings } from './receiver.ts'
import { dataDir, root, workingDir } from './servers.ts'
import { turnSettings } from './turn.ts'

const executablePath = await findBrowser()
// Each worker reads this file again and finds the browser without unpacking it again.
process.env.CHROMIUM_PATH = executablePath
/** In a full run the fresh checkout's server is already running. */
const started = process.env.CHECKOUT_URL
// Created once, before the server starts and the workers read this file.
const isOurs = started === undefined && process.env.TEST_WORKER_INDEX === undefined
const receiver = isOurs ? receiverSettings() : {}

/** A new server with an empty database, on a port that the system chooses. */
const webServer = {
  command: `rm -rf '${workingDir}' && exec node_modules/.bin/bun gateway/server/start.ts`,
  cwd: root,
  // An empty setting counts as unset, no matter what the surrounding shell exports.
  env: {
    PORT: '0',
    HOST: '',
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    BASE_URL: '',
    KEY_PEPPER: '',
    ...receiver,
    ...turnSettings(),
    // All tests send requests from one address, and together exceed one caller's limit.
    SITE_RATE_LIMIT_REQUESTS: '100000',
  },
  wait: { stdout: /Site +(?<site_url>http:\/\/localhost:\d+)\/\s[^]*\/docs\/quickstart/ },
  timeout: 180_000,
  gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
} as const

const publishing = 'publishing.spec.ts'
const nightlyFiles: string[] = JSON.parse(
  readFileSync(path.join(root, 'deploy', 'nightly-tests.json'), 'utf8'),
)
const nightly = nightlyFiles
  .filter(name => name.startsWith('e2e/'))
  .map(name => path.basename(name))
  .filter(name => name !== publishing)
const long = [
  'console.spec.ts',
  'consult.spec.ts',
  'go-live.spec.ts',
  'guides.spec.ts',
  'portal.spec.ts',
  'refreshing.spec.ts',
  'scenarios.spec.ts',
  'sign-up.spec.ts',
  'video.spec.ts',
  'way-in.spec.ts',
]
// The first takes the next case in the queue, so no other test may have a case open. The others,
// which open none, use the processors meanwhile.
const last = ['deciding.spec.ts', 'every-page.spec.ts', 'readiness.spec.ts']

export default defineConfig({
  testDir: '.',
  outputDir: path.join(root, '.data', 'e2e-results'),
  fullyParallel: true,
  // More workers than processors: one scenario waits for the next minute, others for disks.
  workers: 4,
  forbidOnly: true,
  timeout: 120_000,
  // Allows for a slow machine, which isn't a page's fault.
  expect: { timeout: 20_000 },
  // `npm test` runs `last` and all that it depends on. The long tests start first, so none of them
  // runs alone at the end.
  projects: [
    // These use the same checkout, so they run one at a time; publishing first, while the checkout
    // has only the packages that it needs.
    { name: 'publishing', testMatch: publishing },
    { name: 'nightly', testMatch: nightly, workers: 1, dependencies: ['publishing'] },
    { name: 'long', testMatch: long },
    { name: 'pages', testIgnore: [publishing, ...nightly, ...long, ...last] },
    { name: 'last', testMatch: last, dependencies: ['long', 'pages'] },
  ],
  reporter: 'list',
  use: {
    baseURL: started ?? process.env.SITE_URL ?? '',
    browserName: 'chromium',
    launchOptions: {
      executablePath,
      args: browserFlags,
      // Pages show the browser's time zone, which otherwise is this machine's.
      env: { ...process.env, TZ: 'UTC' },
    },
    screenshot: 'only-on-failure',
  },
  ...(started === undefined ? { webServer } : {}),
})
