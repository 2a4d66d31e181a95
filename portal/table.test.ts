// Tests every row in the portal's table, for every role, with and without its requirements.
import { describe, expect, test } from 'bun:test'
import { modes } from '#contract/operation.ts'
import { everyRole, type PortalRow, rolesIn } from '#contract/portal/row.ts'
import { portalRowIds, portalRows } from '#contract/portal/table.ts'
import { newId } from '#auth/ids.ts'
import { openBrowser } from '#auth/testing/browser.ts'
import { refusedPagesOf } from '#clinical/testing/assertions.ts'
import { filledPath } from '#http/pages/table.ts'
import { expectPage, requestTo, sweepForms, sweepRow } from '#http/pages/testing/sweep.ts'
import { table } from './table.ts'
import { usePortal } from './testing/portal.ts'

const portal = usePortal()

sweepForms(table)

const cases = portalRowIds.flatMap(id => modes.map(mode => [id, mode] as const))

describe.each(cases)('%s in %s mode', (id, mode) => {
  const row: PortalRow = portalRows[id]
  const roles = rolesIn(row, mode)
  /** Nonexistent resources' IDs. */
  const pathOf = (integration: string) =>
    filledPath(row.path.replaceAll(/\{(?!integration|mode)\w+\}/g, newId('delivery')), {
      integration,
      mode,
    })
  const send = async (given: Parameters<typeof portal.signIn>[0]) => {
    const { browser, integration, person } = await portal.signIn(given)
    const answer = await browser.send(pathOf(integration), requestTo(row))
    const location = answer.headers.get('location')
    return { answer, integration, person, location, text: await answer.text() }
  }

  if (roles.length > 0) {
    sweepRow(row, {
      async open() {
        const { browser, integration } = await portal.signIn()
        return { browser, path: pathOf(integration) }
      },
      signedOut(token) {
        const browser = openBrowser(portal.origin)
        if (token !== undefined) browser.cookies.set('portal_session', token)
        return browser
      },
    })
  }

  test('404 for another person’s integration, and for a nonexistent one', async () => {
    const { browser, person } = await portal.signIn({
      integration: portal.fixtures.ben.integration,
    })
    const texts = new Set<string>()
    for (const other of [portal.fixtures.ada.integration, newId('integration'), 'int_x']) {
      const answer = await browser.send(pathOf(other), requestTo(row))
      expect(answer.status).toBe(404)
      texts.add(await answer.text())
    }
    expect(texts.size).toBe(1)
    const notFound = ['not_found', 'not_found', 'not_found']
    expect(await refusedPagesOf(portal.fixtures, person)).toEqual(notFound)
  })

  test.each(everyRole)('%s: as the table says', async role => {
    const { answer, integration, person, location, text } = await send({ role })
    if (roles.length === 0 && row.method === 'GET') {
      expect([answer.status, location]).toEqual([303, `/${integration}/${mode}`])
    } else if (!roles.includes(role)) {
      expect(answer.status).toBe(403)
      expect(text).toContain(
        roles.length === 0 ? 'only available in test mode' : 'Your role can’t do this',
      )
      expect(text.includes('Go back')).toBe(roles.length > 0 && row.method === 'POST')
      expect(await refusedPagesOf(portal.fixtures, person)).toEqual(['role_required'])
    } else if (row.method === 'GET') {
      // A single item's page says that it doesn't exist.
      expect(answer.status).toBe(/\{(?!integration|mode)/.test(row.path) ? 404 : 200)
      expectPage(answer, text)
    }
    expect(portal.failures).toEqual([])
  })

  // An owner can allow a developer to make live changes, by these forms only.
  const whose = row.isAllowable === true ? everyRole : (['developer'] as const)
  test.each(whose)('%s allowed live changes by an owner: as the table says', async role => {
    const { text } = await send({ role, mayChangeLive: true })
    const isAllowed = role === 'developer' && row.isAllowable === true && roles.length > 0
    expect(text.includes('Your role can’t do this')).toBe(
      roles.length > 0 && !roles.includes(role) && !isAllowed,
    )
  })

  if (row.factor === undefined) return
  test('303 to the second factor if it is missing or old', async () => {
    const isFresh = row.factor === 'fresh' || mode === 'live'
    for (const factorSeconds of [null, ...(isFresh ? [301] : [])]) {
      const { answer, location } = await send({ factorSeconds })
      expect(answer.status).toBe(303)
      expect(location).toMatch(/^\/sign-in\?next=.*&fresh=1$/)
    }
  })
})
