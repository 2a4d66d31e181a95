import type { z } from 'astro/zod'
import type { Folder, Single } from './read.ts'
import { changelog, consent, gone, legal, overview, pricing } from './records.ts'
import { related, rules, skill } from './records.ts'
import { article, comparison, doc, home, page, people, tags } from './schema.ts'

/** The schema for each folder's files, and for each single file. */
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
  rules,
  related,
  pricing,
  overview,
  consent,
}
