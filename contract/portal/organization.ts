// The pages of the group Organization, in the order of the navigation.
import { billing } from './billing.ts'
import { goLive } from './go-live.ts'
import { members } from './members.ts'
import { organizations } from './organizations.ts'

export const organization = { ...organizations, ...goLive, ...billing, ...members } as const
