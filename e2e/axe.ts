// Finds what's wrong with a page for people who don't rely on sight and a mouse.
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * The rules that the page breaks, with one example each: a page of code has hundreds. `rules` are
 * rules, or tags that name many; `within` is a selector; `frames` are checked with their page.
 */
export async function brokenRules(
  page: Page,
  rules: readonly string[] = everyRule,
  within = 'html',
  frames = false,
): Promise<string[]> {
  // Legacy mode suits pages without cross-origin frames: without it each result is assembled in a
  // second page. With it, and without lists of passed rules, axe takes a third of the time.
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
