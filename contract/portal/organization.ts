// The pages of the group Organization, in the order of the navigation.
import { members } from './members.ts'
import { organizations } from './organizations.ts'

export const organization = { ...organizations, ...members } as const
