// Opens the video provider selected in the settings.

import { type DailySettings, dailyVideo } from './daily.ts'
import { embeddedVideo, type TurnSettings, type VideoProvider } from './provider.ts'

/** With neither, browsers connect directly, if their networks allow it. */
export type VideoSettings = { readonly turn?: TurnSettings; readonly daily?: DailySettings }

export const openVideo = ({ turn, daily }: VideoSettings): VideoProvider =>
  daily === undefined ? embeddedVideo(turn) : dailyVideo(daily)
