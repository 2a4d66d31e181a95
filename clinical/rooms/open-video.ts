// Opens the video provider selected in the settings.

import { type DailySettings, dailyVideo } from './daily.ts'
import { embeddedVideo, type TurnSettings, type VideoProvider } from './provider.ts'

/** Without TURN or Daily, browsers connect directly, which some networks don't allow. */
export type VideoSettings = { readonly turn?: TurnSettings; readonly daily?: DailySettings }

export const openVideo = ({ turn, daily }: VideoSettings): VideoProvider =>
  daily === undefined ? embeddedVideo(turn) : dailyVideo(daily)
