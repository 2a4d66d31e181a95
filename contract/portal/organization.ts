// The pages of the Account group, in navigation order.
import { billing } from './billing.ts'
import { goLive } from './go-live.ts'
import { members } from './members.ts'
import { organizations } from './organizations.ts'
import { settings } from './settings.ts'

export const organization = {
  ...organizations,
  ...goLive,
  ...billing,
  ...members,
  ...settings,
} as const
