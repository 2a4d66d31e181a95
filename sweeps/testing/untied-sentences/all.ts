// Sentences that name the product and that no code of ours decides, by their file under `content/`.
import { unprovedArticles } from './articles.ts'
import { unprovedComparisons } from './comparisons.ts'
import { unprovedPages } from './others.ts'

export const untiedSentences: Readonly<Record<string, readonly string[]>> = {
  ...unprovedArticles,
  ...unprovedComparisons,
  ...unprovedPages,
}
