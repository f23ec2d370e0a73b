import type { ModelLimits } from '../upstream/model-limits.ts'

/** Kind of video request. Each kind has an address of its own. */
export type VideoRequestKind = 'text2video' | 'img2video' | 'start-end2video' | 'reference2video'

type Making = Pick<ModelLimits, 'seconds' | 'resolutions'>

const all = ['540p', '720p', '1080p']
const large = ['720p', '1080p']
const third: Making = { seconds: { from: 1, to: 16 }, resolutions: all }
const second: Making = { seconds: { from: 1, to: 10 }, resolutions: all }
const first: Making = { seconds: [5], resolutions: ['1080p'] }
const oldest: Making = { seconds: [4, 8], resolutions: ['360p', '720p', '1080p'] }

/**
 * The capabilities of each model, by kind of request. The upstream's pages contradict each other
 * about a few lengths. The wider range is used here.
 */
export const videoModels: ReadonlyMap<string, Readonly<Partial<Record<VideoRequestKind, Making>>>> = new Map([
  ['viduq3-pro', { text2video: third, img2video: third, 'start-end2video': third }],
  [
    'viduq3-turbo',
    {
      text2video: third,
      img2video: third,
      'start-end2video': third,
      reference2video: { ...third, seconds: { from: 3, to: 16 } },
    },
  ],
  ['viduq3-pro-fast', { img2video: { ...third, resolutions: large } }],
  ['viduq3', { reference2video: { ...third, seconds: { from: 3, to: 16 } } }],
  ['viduq3-mix', { reference2video: { ...third, resolutions: large } }],
  ['viduq2', { text2video: second, reference2video: second }],
  ['viduq2-pro', { img2video: second, 'start-end2video': second, reference2video: second }],
  ['viduq2-turbo', { img2video: second, 'start-end2video': second }],
  ['viduq2-pro-fast', { img2video: { ...second, resolutions: large }, 'start-end2video': { ...second, resolutions: large } }],
  ['viduq1', { text2video: first, img2video: first, 'start-end2video': first, reference2video: first }],
  ['viduq1-classic', { img2video: first, 'start-end2video': first }],
  ['vidu2.0', { img2video: oldest, 'start-end2video': oldest, reference2video: { seconds: [4], resolutions: ['360p', '720p'] } }],
])
