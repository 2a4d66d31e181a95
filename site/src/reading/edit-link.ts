/** The URL for editing a content file in the browser; null if no repository is configured. */
export const editLink = (base: string | null, file: string): string | null =>
  base === null ? null : `${base.replace(/\/$/, '')}/${file}`
