// Tests every row in the console's table, for every role, with and without its requirements.
import { describe, expect, test } from 'bun:test'
import type { ConsolePage } from '#contract/console/page.ts'
import { staffRoles } from '#contract/console/row.ts'
import { consolePageIds, consolePages } from '#contract/console/table.ts'
import type { Noun } from '#contract/ids.ts'
import { newId } from '#auth/ids.ts'
import { openBrowser } from '#auth/testing/browser.ts'
import { refusedPagesOf } from '#clinical/testing/assertions.ts'
import { expectPage, requestTo, sweepForms, sweepRow } from '#http/pages/testing/sweep.ts'
import { table } from './table.ts'
import { useConsolePages } from './testing/console.ts'

const pages = useConsolePages()

/** The IDs in paths, by the part of the path before them. */
const nouns: Readonly<Record<string, Noun>> = {
  'emergency-access': 'emergency',
  cases: 'case',
  exports: 'bulk_export',
  files: 'file',
  grants: 'grant',
  integrations: 'integration',
  invitations: 'invitation',
  orders: 'order',
  patients: 'patient',
  pharmacy: 'pharmacy',
  schedule: 'calendar',
  staff: 'person',
  templates: 'clinic_text',
  visits: 'visit',
}

sweepForms(table)

describe.each(consolePageIds)('%s', id => {
  const row: ConsolePage = consolePages[id]
  const { roles } = row
  /** Nonexistent resources' IDs. */
  const pathOf = (organization: string) =>
    row.path.replace('{organization}', organization).replaceAll(/\{\w+\}/g, () => newId('case'))
  const send = async (given: Parameters<typeof pages.signIn>[0]) => {
    const { browser, organization, person } = await pages.signIn({ roles, ...given })
    const answer = await browser.send(pathOf(organization), requestTo(row))
    return { answer, person, location: answer.headers.get('location'), text: await answer.text() }
  }

  sweepRow(row, {
    async open() {
      const { browser, organization } = await pages.signIn({ roles })
      return { browser, path: pathOf(organization) }
    },
    signedOut(token) {
      const browser = openBrowser(pages.origin)
      if (token !== undefined) browser.cookies.set('console_session', token)
      return browser
    },
  })

  test('303 to sign-in after fifteen idle minutes', async () => {
    const { answer, location } = await send({ idleSeconds: 15 * 60 })
    expect(answer.status).toBe(303)
    expect(location).toStartWith('/sign-in?next=')
  })

  test('404 for another clinic, and for one that doesn’t exist', async () => {
    const { browser, person } = await pages.signIn({ roles })
    const texts = new Set<string>()
    for (const clinic of [pages.fixtures.ada.organization, newId('organization'), 'org_x']) {
      const answer = await browser.send(pathOf(clinic), requestTo(row))
      expect(answer.status).toBe(404)
      texts.add(await answer.text())
    }
    expect(texts.size).toBe(1)
    // No one at an unknown clinic could read its log.
    expect(await refusedPagesOf(pages.fixtures, person)).toEqual(['not_found', 'not_found'])
  })

  test.each(staffRoles)('%s: as the table says', async role => {
    const { answer, person, text } = await send({ roles: [role] })
    if (!roles.includes(role)) {
      expect(answer.status).toBe(403)
      expect(text).toContain('Your role can’t do this')
      expect(await refusedPagesOf(pages.fixtures, person)).toEqual(['role_required'])
    } else if (row.method === 'GET') {
      // A single item's page says that it doesn't exist.
      expect(answer.status).toBe(/\{(?!organization)/.test(row.path) ? 404 : 200)
      const isFile = answer.status === 200 && /\.(csv|json)$/.test(row.path)
      expect(answer.headers.has('content-disposition')).toBe(isFile)
      expectPage(answer, text)
    }
    expect(pages.failures).toEqual([])
  })

  // Taking the next case needs no entry.
  if (row.method === 'POST' && id !== 'takeNext') {
    test('an unknown, malformed or missing entry or ID is refused in words', async () => {
      const [, part = ''] = /([\w-]+)\/\{id\}/.exec(row.path) ?? []
      const noun = nouns[part]
      expect(noun === undefined).toBe(part === '')
      for (const given of noun === undefined ? [''] : [newId(noun), 'x']) {
        const { organization, sendForm } = await pages.signIn({ roles })
        const path = row.path.replace('{organization}', organization).replace('{id}', given)
        const answer = await sendForm(path)
        const text = await answer.text()
        const isRefused = [400, 404, 409, 422].includes(answer.status)
        expect([given, answer.status, isRefused]).toEqual([given, answer.status, true])
        expect(text).toMatch(/(role="alert"|class="fault")[^>]*>[^<]|<h1>[\w ]+ not found/)
        expectPage(answer, text)
      }
      expect(pages.failures).toEqual([])
    })
  }

  test('an administrator with emergency access can read, but not change or export', async () => {
    const { text } = await send({ roles: ['admin'], hasEmergencyAccess: true })
    const isRead = row.method === 'GET' && row.isExport !== true && roles.includes('records')
    const isOpen = roles.includes('admin') || isRead
    const refusal = roles.includes('records')
      ? 'Emergency access is read-only'
      : 'Your role can’t do this'
    expect(text.includes(refusal)).toBe(!isOpen)
  })

  test('403 for a recovered account that no administrator confirmed', async () => {
    const { answer, text } = await send({ isRecovered: true })
    expect([answer.status, text.includes('An administrator has to confirm')]).toEqual([403, true])
  })

  test('303 to the second factor if it is missing or old and no form asks for it', async () => {
    for (const factorSeconds of [null, ...(row.factor === 'fresh' ? [15 * 60 + 1] : [])]) {
      const { answer, location } = await send({ factorSeconds })
      expect(answer.status).toBe(303)
      expect(location).toMatch(/^\/sign-in\?next=.*&fresh=1$/)
    }
  })
})
