/**
 * A drawing created from data. The rows say the same in words for the Markdown version, the feed,
 * and readers who can't see the drawing.
 */
export type Figure = { name: string; svg: string; head: string[]; rows: string[][] }
