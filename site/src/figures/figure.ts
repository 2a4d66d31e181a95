/**
 * A drawing created from data. The rows contain the same facts as words, for the Markdown version,
 * the feed, and readers who can't see the drawing.
 */
export type Figure = { name: string; svg: string; head: string[]; rows: string[][] }
