// The forms of the names that a destination's settings have. None can name another host or folder.

export const regionPattern = '^[a-z]{2}(-[a-z]+){1,2}-\\d$'
export const accountPattern = '^\\d{12}$'
export const resourcePattern = '^[A-Za-z0-9][A-Za-z0-9._-]*$'
export const namespacePattern = '^[A-Za-z][A-Za-z0-9-]{4,48}[A-Za-z0-9]$'
export const prefixPattern = '^([A-Za-z0-9][A-Za-z0-9._=-]*/)*$'
