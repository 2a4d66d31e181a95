// The provider of video that the settings name.

import { type DailySettings, dailyVideo } from './daily.ts'
import { embeddedVideo, type TurnSettings, type VideoProvider } from './provider.ts'

/** Neither: between the browsers, where their networks allow it. */
export type VideoSettings = { readonly turn?: TurnSettings; readonly daily?: DailySettings }

export const openVideo = ({ turn, daily }: VideoSettings): VideoProvider =>
  daily === undefined ? embeddedVideo(turn) : dailyVideo(daily)
