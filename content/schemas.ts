import type { z } from 'astro/zod'
import type { Folder, Single } from './read.ts'
import { changelog, consent, gone, legal, overview, pricing, skill } from './records.ts'
import { article, comparison, doc, home, page, people, tags } from './schema.ts'

/** Which schema a folder's files, or a file that stands alone, must satisfy. */
export const schemas: Record<Folder | Single, z.ZodType> = {
  articles: article,
  comparisons: comparison,
  docs: doc,
  legal,
  pages: page,
  skills: skill,
  home,
  people,
  tags,
  changelog,
  gone,
  pricing,
  overview,
  consent,
}
