// The reference as an integrator uses it: the requests on its pages are sent, and the page that
// sends requests contacts this server only.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { server, root, workingDir } from './servers.ts'

const runners = {
  sh: ['bash'],
  ts: [path.join(root, 'node_modules', '.bin', 'bun')],
  python: ['python3'],
} as const

for (const operation of ['create-patient', 'list-cases']) {
  for (const [language, [program, ...before]] of Object.entries(runners)) {
    test(`reference ${operation}: the ${language} request is answered as shown`, async ({
      request,
    }) => {
      const isThere = spawnSync(program, ['--version']).status === 0
      test.info().skip(!isThere && process.env.CI !== 'true', `there is no ${program}`)
      const markdown = await (await request.get(`/docs/api/${operation}.md`)).text()
      const form = new RegExp(`\`\`\`${language}\n([^]*?)\n\`\`\``).exec(markdown)?.[1]
      const file = path.join(workingDir, `${operation}.${language}`)
      mkdirSync(workingDir, { recursive: true })
      const uuid = 'uuidgen() { cat /proc/sys/kernel/random/uuid; }\n'
      writeFileSync(file, (language === 'sh' ? uuid : '') + (form ?? ''))
      const { url, key } = server()
      const env = { ...process.env, API: url, KEY: key }
      const ran = spawnSync(program, [...before, file], { env, encoding: 'utf8' })
      expect(ran.stderr).toBe('')
      expect(ran.stdout).toMatch(operation === 'list-cases' ? /has_more/ : /pat_[0-9a-z]{26}/)
    })
  }
}

test('reference: switching the language of a request needs no script', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    ...(baseURL && { baseURL }),
  })
  const page = await context.newPage()
  await page.goto('/docs/api/create-case')
  await expect(page.getByText('curl -sS', { exact: false })).toBeVisible()
  await page.getByText('Python', { exact: true }).click()
  await expect(page.getByText('urllib.request.urlopen', { exact: false })).toBeVisible()
  await expect(page.getByText('curl -sS', { exact: false })).toBeHidden()
  await context.close()
})

test('reference: the interactive page shows the contract and contacts no other host', async ({
  page,
  baseURL,
}) => {
  const faults: string[] = []
  page.on('request', request => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== baseURL && !['data:', 'blob:'].includes(protocol)) faults.push(request.url())
  })
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) faults.push(message.text())
  })
  page.on('pageerror', error => faults.push(error.message))
  await page.goto('/docs/api/try', { waitUntil: 'networkidle' })
  const heading = page.getByRole('heading', { name: 'Clinical Integrations API' })
  await expect(heading).toBeVisible({ timeout: 30_000 })
  expect(faults).toEqual([])
})
