// Opens the video provider that the settings name.

import { type DailySettings, dailyVideo } from './daily.ts'
import { embeddedVideo, type TurnSettings, type VideoProvider } from './provider.ts'

/** With neither, video connects the browsers directly, where their networks allow it. */
export type VideoSettings = { readonly turn?: TurnSettings; readonly daily?: DailySettings }

export const openVideo = ({ turn, daily }: VideoSettings): VideoProvider =>
  daily === undefined ? embeddedVideo(turn) : dailyVideo(daily)
