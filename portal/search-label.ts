/** What the search of the portal finds, as the label of its input. */
export const searchLabel = 'Search pages, IDs, endpoints and keys'
