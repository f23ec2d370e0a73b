import type { ModelLimits } from '../upstream/model-limits.ts'

/** Kind of video request. Each kind has its own endpoint. */
export type VideoRequestKind = 'text2video' | 'img2video' | 'start-end2video' | 'reference2video'

type VideoLimits = Pick<ModelLimits, 'seconds' | 'resolutions'>

const allResolutions = ['540p', '720p', '1080p']
const highResolutions = ['720p', '1080p']
const generation3: VideoLimits = { seconds: { from: 1, to: 16 }, resolutions: allResolutions }
const generation2: VideoLimits = { seconds: { from: 1, to: 10 }, resolutions: allResolutions }
const generation1: VideoLimits = { seconds: [5], resolutions: ['1080p'] }
const vidu2: VideoLimits = { seconds: [4, 8], resolutions: ['360p', '720p', '1080p'] }

/**
 * Capabilities of each model by kind of request. Where pages of the upstream's documentation give
 * different lengths, the wider range is used.
 */
export const videoModels: ReadonlyMap<string, Readonly<Partial<Record<VideoRequestKind, VideoLimits>>>> = new Map([
  ['viduq3-pro', { text2video: generation3, img2video: generation3, 'start-end2video': generation3 }],
  [
    'viduq3-turbo',
    {
      text2video: generation3,
      img2video: generation3,
      'start-end2video': generation3,
      reference2video: { ...generation3, seconds: { from: 3, to: 16 } },
    },
  ],
  ['viduq3-pro-fast', { img2video: { ...generation3, resolutions: highResolutions } }],
  ['viduq3', { reference2video: { ...generation3, seconds: { from: 3, to: 16 } } }],
  ['viduq3-mix', { reference2video: { ...generation3, resolutions: highResolutions } }],
  ['viduq2', { text2video: generation2, reference2video: generation2 }],
  ['viduq2-pro', { img2video: generation2, 'start-end2video': generation2, reference2video: generation2 }],
  ['viduq2-turbo', { img2video: generation2, 'start-end2video': generation2 }],
  [
    'viduq2-pro-fast',
    {
      img2video: { ...generation2, resolutions: highResolutions },
      'start-end2video': { ...generation2, resolutions: highResolutions },
    },
  ],
  ['viduq1', { text2video: generation1, img2video: generation1, 'start-end2video': generation1, reference2video: generation1 }],
  ['viduq1-classic', { img2video: generation1, 'start-end2video': generation1 }],
  ['vidu2.0', { img2video: vidu2, 'start-end2video': vidu2, reference2video: { seconds: [4], resolutions: ['360p', '720p'] } }],
])
