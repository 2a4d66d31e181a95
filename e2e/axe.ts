// Finds a page's accessibility violations.
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * The rules that the page breaks, with one example each, because a page of code has hundreds.
 * `rules` has rules or tags for several, `within` is a selector, and `frames` is whether to check
 * frames too.
 */
export async function brokenRules(
  page: Page,
  rules: readonly string[] = everyRule,
  within = 'html',
  frames = false,
): Promise<string[]> {
  // Legacy mode works for pages without cross-origin frames. Other modes assemble each result in a
  // second page. In legacy mode, and without lists of passed rules, axe takes a third of the time.
  const { passes, violations } = await new AxeBuilder({ page })
    .setLegacyMode(!frames)
    .include(within)
    .options({ runOnly: [...rules], resultTypes: ['violations'] })
    .analyze()
  expect(passes.length, 'axe looked').toBeGreaterThan(0)
  return violations.map(
    ({ id, nodes }) => `${id}, ${nodes.length} times, as at ${nodes[0]?.target.join(' ')}`,
  )
}
