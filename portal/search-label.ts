/** The label of the portal's search input. */
export const searchLabel = 'Search pages, IDs, endpoints and keys'
