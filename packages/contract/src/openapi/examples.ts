import type { Account, AdminBrandModel } from '../admin.ts'
import type { Asset, DeletedAsset, ResumableUpload } from '../asset.ts'
import type { CreditEntry, Credits, CreditsCheck } from '../credits.ts'
import type { List } from '../list.ts'
import type { Model } from '../model.ts'
import type { Timeline } from '../timeline.ts'
import type { UsageReport } from '../usage.ts'
import { VideoTaskSchema, type Quote, type Task, type VideoTask } from '../task.ts'
import type { Example } from './document-types.ts'

/**
 * The examples are a sequence of requests to a service whose clock is fixed at noon on 15 January
 * 2026. A test sends these requests to a running service and compares every response with the
 * examples.
 */
const noon = 1_768_478_400
const retentionAgo = noon - 8 * 86_400
const claimedAt = noon + 83
const linksExpireAt = noon + 3_720

export const exampleIds = {
  expired: 'task_019b9853fe0070008f3b1c5e7d9a2b40',
  image: 'task_019bc186de0070009a4d2e6f8b0c3d51',
  video: 'task_019bc1872c207000ab5e3f708c1d4e62',
  v1: 'task_019bc1877a407000bc6f40819d2e5f73',
  cancelled: 'task_019bc187c86070008d705192ae3f6084',
  failed: 'task_019bc188168070009e8162a3bf407195',
} as const

export const exampleLink = {
  asset: `${exampleIds.image}.png`,
  expires: linksExpireAt,
  signature: 'KTS9Fui2YK-moimsdEFTqcV0qNeRZcd6qguSL_Rh-cY',
} as const

const pageEnd = 'AZvBh8hgcACNcFGSrj9ghA'

const queuedFields = { status: 'queued', progress: 0, actualDuration: null, error: null } as const
const claimed = { ...queuedFields, status: 'processing', started: claimedAt } as const

type Measured = Omit<NonNullable<Task['results']>[number], 'url' | 'thumbnail_url'>

const imageFile: Measured = { type: 'image/png', width: 1024, height: 1024, seconds: null, bytes: 1_480_213, seed: 42 }

const boatParameters = {
  prompt: 'A boat on a lake in the fog, long exposure',
  aspect_ratio: '1:1',
  resolution: '1K',
  watermark: false,
}
const videoDefaults = { aspect_ratio: '16:9', resolution: '720p', watermark: false }

const imageQueued: Task = {
  id: exampleIds.image,
  object: 'image',
  created: noon,
  model: 'imgA-5.0',
  ...queuedFields,
  amount: 0.04,
}

const imageCompleted: Task = {
  ...imageQueued,
  parameters: boatParameters,
  ...claimed,
  status: 'completed',
  progress: 100,
  ...linkOf(exampleLink.asset, [exampleLink.signature, '2o9rtJ8K2LSqTUxxcTAQZbDfr4JD739ra5bYtw3o23k'], imageFile),
  seed: 42,
  completed: noon + 85,
}

const videoQueued: Task = {
  id: exampleIds.video,
  object: 'video',
  created: noon + 20,
  model: 'vidG_video3',
  ...queuedFields,
  amount: 0.84,
}

const videoProcessing: Task = {
  ...videoQueued,
  ...claimed,
  progress: 40,
  parameters: { seconds: 12, prompt: 'A deer in a misty forest at dawn', ...videoDefaults },
}

const videoCompleted: Task = {
  ...videoProcessing,
  status: 'completed',
  progress: 100,
  ...linkOf(
    `${exampleIds.video}.mp4`,
    ['0oSM9g0WVtDxQYkT-D6XhLaLIPiy6LTXiEGG6QUpf_o', 'v3LBeTM25ypXP2MLv9rl1_XRJ5u3aCvLmh-UqQTKRu0'],
    videoFile(12, 3_201_774),
  ),
  actualDuration: 12,
  seed: 42,
  completed: noon + 115,
}

const v1Queued: VideoTask = {
  id: exampleIds.v1,
  object: 'video',
  created: noon + 40,
  model: 'vidC2Stable',
  ...queuedFields,
  amount: 0.8,
  seconds: 10,
}

const v1Completed: VideoTask = {
  ...v1Queued,
  parameters: { seconds: 10, prompt: 'Two horses in a meadow at sunset', ...videoDefaults },
  ...claimed,
  status: 'completed',
  progress: 100,
  ...linkOf(
    `${exampleIds.v1}.mp4`,
    ['V5YEzvLZUvD1VjYElI_ClSyseVelPzqAZJlGBcxWulo', 'UDFvs555uIreUCE8b0RvoiIJPHAsqU24Y49EDTCrWqc'],
    videoFile(10, 2_668_145),
  ),
  actualDuration: 10,
  seed: 42,
  completed: noon + 115,
}

const cancelled: Task = {
  id: exampleIds.cancelled,
  object: 'video',
  created: noon + 60,
  model: 'vidDq3-turbo',
  ...queuedFields,
  status: 'failed',
  amount: 0,
  error: 'The task was cancelled.',
  error_code: 'cancelled',
  completed: noon + 83,
  parameters: { seconds: 5, prompt: 'A red fox in the snow at dusk', ...videoDefaults },
}

const failed: Task = {
  id: exampleIds.failed,
  object: 'image',
  created: noon + 80,
  model: 'imgA-5.0',
  ...claimed,
  status: 'failed',
  amount: 0,
  error: 'reference_images[0] could not be fetched: the server responded with status 404.',
  error_code: 'invalid_input',
  completed: noon + 85,
  parameters: { ...boatParameters, reference_images: ['https://example.com/dog.jpg'] },
}

const expired: Task = {
  ...imageQueued,
  parameters: boatParameters,
  id: exampleIds.expired,
  created: retentionAgo,
  status: 'completed',
  progress: 100,
  result_expired: true,
  seed: 42,
  started: retentionAgo,
  completed: retentionAgo + 9,
}

const taskList: List<Task> = {
  object: 'list',
  items: [orderFields(listedTask(failed)), orderFields(listedTask(cancelled))],
  has_more: true,
  next_cursor: pageEnd,
}

const timelineOfCompleted: Timeline = {
  object: 'timeline',
  task: exampleIds.video,
  events: [
    { event: 'accepted', at: noon + 20 },
    { event: 'held', at: noon + 20, amount: 0.84 },
    { event: 'attempt_started', at: claimedAt, attempt: 1, route: 'embedded' },
    { event: 'attempt_ended', at: noon + 115, attempt: 1, route: 'embedded', outcome: 'succeeded' },
    { event: 'completed', at: noon + 115 },
    { event: 'charged', at: noon + 115, amount: 0.84 },
  ],
}

const timelineOfFailed: Timeline = {
  object: 'timeline',
  task: exampleIds.failed,
  events: [
    { event: 'accepted', at: noon + 80 },
    { event: 'held', at: noon + 80, amount: 0.04 },
    { event: 'attempt_started', at: claimedAt, attempt: 1, route: 'embedded' },
    {
      event: 'attempt_ended',
      at: noon + 85,
      attempt: 1,
      route: 'embedded',
      outcome: 'failed',
      reason: 'reference_images[0] could not be fetched: the server responded with status 404.',
    },
    {
      event: 'failed',
      at: noon + 85,
      error_code: 'invalid_input',
      reason: 'reference_images[0] could not be fetched: the server responded with status 404.',
    },
    { event: 'released', at: noon + 85, amount: 0.04, reason: 'The task failed, so nothing is charged.' },
  ],
}

const timelineOfWaiting: Timeline = {
  object: 'timeline',
  task: exampleIds.failed,
  events: [
    { event: 'accepted', at: noon + 80 },
    { event: 'held', at: noon + 80, amount: 0.04 },
    { event: 'waiting', at: noon + 80, for: 'start' },
  ],
}

const quote: Quote = {
  object: 'quote',
  model: 'vidG_video3',
  amount: 0.84,
  available: true,
  reason: null,
  parameters: {
    prompt: 'A deer in a misty forest at dawn',
    seconds: 12,
    aspect_ratio: '16:9',
    resolution: '720p',
    watermark: false,
  },
}

const quoteOfMissingModel: Quote = {
  object: 'quote',
  model: 'imgA_5.0Pro',
  amount: 0.08,
  available: false,
  reason: 'brand_model_missing',
  parameters: {
    prompt: 'A lighthouse on a cliff at dusk, oil painting',
    aspect_ratio: '1:1',
    resolution: '1K',
    watermark: false,
  },
}

const quoteBeyondBalance: Quote = {
  object: 'quote',
  model: 'imgA-5.0',
  amount: 0.08,
  available: false,
  reason: 'insufficient_credits',
  parameters: {
    prompt: 'A boat on a lake in the fog, long exposure',
    resolution: '2K',
    aspect_ratio: '1:1',
    watermark: false,
  },
}

const credits: Credits = {
  object: 'credits',
  balance: 1097.94,
  held: 2.02,
  expiring: [{ amount: 100, expires_at: 1_771_070_400 }],
}

const account: Account = {
  object: 'account',
  id: 'acct_1',
  brand: 'brand_default',
  brand_name: 'Framegate',
  name: 'Studio North',
  status: 'active',
  balance: 1000,
  held: 0,
  tasks_in_flight_max: null,
  credits_in_flight_max: null,
  requests_per_minute_max: null,
  tokens_per_minute_max: null,
  over_limit: 'refuse',
  created: 0,
}

const brandModel: AdminBrandModel = {
  object: 'brand_model',
  brand: 'brand_default',
  model: 'imgA-5.0',
  visibility: 'invocable',
  title: 'ImgA 5.0 image generation',
  own_visibility: null,
  own_title: null,
  price: { unit: 'image', credits: { '1K': 0.04, '2K': 0.08 } },
  price_from: 'catalogue',
}

const accountList: List<Account> = { object: 'list', items: [account], has_more: false, next_cursor: null }

const emptyEntryFields = { request: null, note: null, expires_at: null } as const
const creditEntries: List<CreditEntry> = {
  object: 'list',
  items: [
    {
      id: 'entry_04e4920382f53f80c4ce45286223ac51',
      object: 'credit_entry',
      kind: 'release',
      amount: 0.04,
      held: -0.04,
      balance_after: 1098.28,
      task: exampleIds.failed,
      ...emptyEntryFields,
      created: noon + 85,
    },
    {
      id: 'entry_5dc62299ce341e3b960aa660e628b9ad',
      object: 'credit_entry',
      kind: 'settle',
      amount: 0,
      held: -0.04,
      balance_after: 1098.24,
      task: exampleIds.image,
      ...emptyEntryFields,
      created: noon + 85,
    },
  ],
  has_more: true,
  next_cursor: 'MTEuMTc2ODQ3ODQ4NTAwMC4yMGFmNzRkNGRiMDRhNjM3',
}

export const exampleUpload = { url: 'https://example.com/robot.png' } as const

const asset: Asset = {
  id: 'asset_019bc186de0070009a4d2e6f8b0c3d52',
  object: 'asset',
  created: noon,
  name: 'robot.png',
  content_type: 'image/png',
  size_bytes: 8516,
  sha256: '1f3717550ee22c55f56efc31f4cd7f309445debb3eed808a1b58034f6322d5b8',
  width: 256,
  height: 256,
  seconds: null,
  fps: null,
  has_audio: false,
  url: `http://127.0.0.1:8787/api/media/asset_019bc186de0070009a4d2e6f8b0c3d52.png?expires=${noon + 3600}&signature=LkoCpWp9Av0x_0tV8uC0XsEJjnY4VSj8BmLNHquaJXg`,
  expires_at: noon + 3600,
}

const assetList: List<Asset> = { object: 'list', items: [asset], has_more: false, next_cursor: null }

const deletedAsset: DeletedAsset = { id: asset.id, object: 'asset', deleted: true }

const assetUpload: ResumableUpload = {
  id: 'upload_019bc186de0070009a4d2e6f8b0c3d53',
  object: 'asset_upload',
  created: noon,
  name: 'robot.png',
  size_bytes: asset.size_bytes,
  received_bytes: 0,
  sha256: null,
  expires_at: noon + 24 * 3600,
  asset: null,
  error: null,
}

const assetUploadList: List<ResumableUpload> = { object: 'list', items: [assetUpload], has_more: false, next_cursor: null }

const finishedUpload: ResumableUpload = { ...assetUpload, received_bytes: asset.size_bytes, asset }

const noTokens = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 } as const
const usage: UsageReport = {
  object: 'usage',
  from: '2026-01-01',
  until: '2026-01-15',
  rows: [
    { day: '2026-01-07', completed: 1, failed: 0, charged: 0.04, seconds: 0, ...noTokens },
    { day: '2026-01-15', completed: 3, failed: 2, charged: 1.68, seconds: 22, ...noTokens },
  ],
  total: { completed: 4, failed: 2, charged: 1.72, seconds: 22, ...noTokens },
}

const creditsCheck: CreditsCheck = {
  object: 'credits_check',
  accounts: 1,
  entries: 9,
  holds: 5,
  differences: 0,
  found: [],
}

/** A task as lists show it. The prompts of the examples are shorter than an excerpt. */
function listedTask({ parameters, ...task }: Task): Task {
  return { ...task, prompt: String(parameters?.['prompt']) }
}

/** Puts the fields in the order in which responses have them. */
function orderFields(task: VideoTask): VideoTask {
  const names = Object.keys(VideoTaskSchema.properties)
  const fields = Object.entries(task).toSorted(([left], [right]) => names.indexOf(left) - names.indexOf(right))
  return Object.fromEntries(fields) as VideoTask
}

export const examples = {
  imageQueued: { summary: 'An image, accepted', value: orderFields(imageQueued) },
  imageCompleted: { summary: 'An image, completed', value: orderFields(imageCompleted) },
  videoQueued: { summary: 'A video, accepted', value: orderFields(videoQueued) },
  videoProcessing: { summary: 'A video in progress', value: orderFields(videoProcessing) },
  videoCompleted: { summary: 'A video, completed', value: orderFields(videoCompleted) },
  v1Queued: { summary: 'Accepted', value: orderFields(v1Queued) },
  v1Completed: { summary: 'Completed', value: orderFields(v1Completed) },
  cancelled: { summary: 'Cancelled', value: orderFields(cancelled) },
  failed: { summary: 'Failed', value: orderFields(failed) },
  expired: { summary: 'An image whose file was removed', value: orderFields(expired) },
  taskList: { summary: 'A page of two tasks', value: taskList },
  timelineOfCompleted: { summary: 'The events of a completed video', value: timelineOfCompleted },
  timelineOfFailed: { summary: 'The events of a task whose image could not be fetched', value: timelineOfFailed },
  timelineOfWaiting: { summary: 'The events of an image that is about to be started', value: timelineOfWaiting },
  quote: { summary: 'A submit would be accepted', value: quote },
  quoteOfMissingModel: { summary: 'The brand has no access to the model', value: quoteOfMissingModel },
  quoteBeyondBalance: { summary: 'The balance is too small', value: quoteBeyondBalance },
  credits: { summary: 'Credits', value: credits },
  creditEntries: { summary: 'The two newest entries', value: creditEntries },
  usage: { summary: 'Usage by day', value: usage },
  creditsCheck: { summary: 'The ledger balances', value: creditsCheck },
  asset: { summary: 'An image', value: asset },
  assetList: { summary: 'One asset', value: assetList },
  deletedAsset: { summary: 'Deleted', value: deletedAsset },
  assetUpload: { summary: 'Started', value: assetUpload },
  assetUploadList: { summary: 'One unfinished upload', value: assetUploadList },
  finishedUpload: { summary: 'Finished', value: finishedUpload },
  account: { summary: 'An account', value: account },
  accountList: { summary: 'One account', value: accountList },
  brandModel: { summary: 'A model as in the catalogue', value: brandModel },
  health: { summary: 'The process responds', value: { status: 'ok' } },
  readiness: { summary: 'The process accepts requests', value: { status: 'ready' } },
} as const satisfies Record<string, Example>

const shownModel = 'imgA_5.0Pro'

export function modelExample(models: readonly Model[]): Example {
  const value = models.find(({ id }) => id === shownModel)
  return { summary: `The model ${shownModel}`, value }
}

/** The first page of image models, with one model. */
export function modelListExample(models: readonly Model[]): Example {
  const items = models.filter(({ type }) => type === 'image').slice(0, 1)
  return {
    summary: 'A page of one model',
    value: { object: 'list', items, has_more: true, next_cursor: 'aW1nQV81LjBQcm8' },
  }
}

function videoFile(seconds: number, bytes: number): Measured {
  return { type: 'video/mp4', width: 1280, height: 720, seconds, bytes, seed: 42 }
}

/** `signatures` are those of the file and of its thumbnail. */
function linkOf(asset: string, signatures: readonly [string, string], file: Measured) {
  const [url, thumbnailUrl] = [asset, asset.replace(/\.\w+$/, '-thumbnail.webp')].map(
    (name, index) => `http://127.0.0.1:8787/api/media/${name}?expires=${linksExpireAt}&signature=${signatures[index]}`,
  ) as [string, string]
  return {
    result_url: url,
    ...(file.type.startsWith('image/') ? { image_url: url } : { video_url: url }),
    thumbnail_url: thumbnailUrl,
    expires_at: linksExpireAt,
    results: [{ url, thumbnail_url: thumbnailUrl, ...file }],
  }
}
