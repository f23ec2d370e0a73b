// Generated from the catalogue by `node tools/write-sdk-parameter-types.ts`.

import type { MediaInput } from './media-inputs.ts'

/** A Model ID for which this package has parameter types. Only the service checks the parameters of other models. */
export type KnownModel = keyof ParametersByModel

/** Parameters that a request to each model may have. */
export interface ParametersByModel {
  /** Images from a prompt and up to ten reference images, in higher quality. Invocable only after an operator has enabled it for the brand. */
  'imgA_5.0Pro': {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** Images of subjects that must appear in the result, 0 to 10. */
    reference_images?: readonly MediaInput[] | undefined
    /** Ratio of width to height of the result. Default: 1:1. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 1K. */
    resolution?: '1K' | '2K' | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Images from a prompt and up to ten reference images. */
  'imgA-5.0': {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** Description of content that must not appear. 0 to 5000 characters. */
    negative_prompt?: string | undefined
    /** Images of subjects that must appear in the result, 0 to 10. */
    reference_images?: readonly MediaInput[] | undefined
    /** Ratio of width to height of the result. Default: 1:1. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 1K. */
    resolution?: '1K' | '2K' | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** The newest generation at the lowest price, with longer waits at busy hours. */
  'sd_2.5_discount_v1': {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** Description of content that must not appear. 0 to 5000 characters. */
    negative_prompt?: string | undefined
    /** Images of subjects that must appear in the result, 0 to 9. */
    reference_images?: readonly MediaInput[] | undefined
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    last_frame?: MediaInput | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 4 to 30. Default: 5. */
    seconds?: number | undefined
    /** Adds a sound track if true. Default: false. */
    audio?: boolean | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** The newest generation, with priority. */
  'sd_2.5_special_v1': {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** Description of content that must not appear. 0 to 5000 characters. */
    negative_prompt?: string | undefined
    /** Images of subjects that must appear in the result, 0 to 9. */
    reference_images?: readonly MediaInput[] | undefined
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    last_frame?: MediaInput | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 4 to 30. Default: 5. */
    seconds?: number | undefined
    /** Adds a sound track if true. Default: false. */
    audio?: boolean | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Quick drafts up to 720p, with priority. */
  'sd_2.0_fast_special': {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** Description of content that must not appear. 0 to 5000 characters. */
    negative_prompt?: string | undefined
    /** Images of subjects that must appear in the result, 0 to 9. */
    reference_images?: readonly MediaInput[] | undefined
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    last_frame?: MediaInput | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | undefined
    /** Length of the video in whole seconds. 4 to 15. Default: 5. */
    seconds?: number | undefined
    /** Adds a sound track if true. Default: false. */
    audio?: boolean | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** The smallest model of its generation, up to 720p, with priority. */
  'sd_2.0_mini_special': {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** Description of content that must not appear. 0 to 5000 characters. */
    negative_prompt?: string | undefined
    /** Images of subjects that must appear in the result, 0 to 9. */
    reference_images?: readonly MediaInput[] | undefined
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    last_frame?: MediaInput | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | undefined
    /** Length of the video in whole seconds. 4 to 15. Default: 5. */
    seconds?: number | undefined
    /** Adds a sound track if true. Default: false. */
    audio?: boolean | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** The full model of its generation, with priority. */
  'sd_2.0_special': {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** Description of content that must not appear. 0 to 5000 characters. */
    negative_prompt?: string | undefined
    /** Images of subjects that must appear in the result, 0 to 9. */
    reference_images?: readonly MediaInput[] | undefined
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    last_frame?: MediaInput | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 4 to 15. Default: 5. */
    seconds?: number | undefined
    /** Adds a sound track if true. Default: false. */
    audio?: boolean | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** The full model of its generation at the lowest price, with longer waits at busy hours. */
  'sd_2.0_discount': {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** Description of content that must not appear. 0 to 5000 characters. */
    negative_prompt?: string | undefined
    /** Images of subjects that must appear in the result, 0 to 9. */
    reference_images?: readonly MediaInput[] | undefined
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    last_frame?: MediaInput | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 4 to 15. Default: 5. */
    seconds?: number | undefined
    /** Adds a sound track if true. Default: false. */
    audio?: boolean | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Quick drafts up to 720p at the lowest price. */
  'sd_2.0_fast_discount': {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** Description of content that must not appear. 0 to 5000 characters. */
    negative_prompt?: string | undefined
    /** Images of subjects that must appear in the result, 0 to 9. */
    reference_images?: readonly MediaInput[] | undefined
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    last_frame?: MediaInput | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | undefined
    /** Length of the video in whole seconds. 4 to 15. Default: 5. */
    seconds?: number | undefined
    /** Adds a sound track if true. Default: false. */
    audio?: boolean | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** The smallest and cheapest model of its generation, up to 720p. */
  'sd_2.0_mini_discount': {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** Description of content that must not appear. 0 to 5000 characters. */
    negative_prompt?: string | undefined
    /** Images of subjects that must appear in the result, 0 to 9. */
    reference_images?: readonly MediaInput[] | undefined
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    last_frame?: MediaInput | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | undefined
    /** Length of the video in whole seconds. 4 to 15. Default: 5. */
    seconds?: number | undefined
    /** Adds a sound track if true. Default: false. */
    audio?: boolean | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos at 1080p from a prompt, frames or up to nine reference images. */
  'vidM-H3_933_1080p': {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** Images of subjects that must appear in the result, 0 to 9. */
    reference_images?: readonly MediaInput[] | undefined
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    last_frame?: MediaInput | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Always 1080p, as in the Model ID. Default: 1080p. */
    resolution?: '1080p' | undefined
    /** Length of the video in whole seconds. 4 to 15. Default: 5. */
    seconds?: number | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos at 2K from a prompt or frames. */
  'vidM-H3-2K-c1': {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    last_frame?: MediaInput | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Always 2K, as in the Model ID. Default: 2K. */
    resolution?: '2K' | undefined
    /** Length of the video in whole seconds. 4 to 15. Default: 5. */
    seconds?: number | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos at 768p from a prompt or frames. */
  'vidM-H3-768p': {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    last_frame?: MediaInput | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Always 768p, as in the Model ID. Default: 768p. */
    resolution?: '768p' | undefined
    /** Length of the video in whole seconds. 4 to 15. Default: 5. */
    seconds?: number | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos at 768p from a prompt or frames, through the second channel. */
  'vidM-H3-768p-c2': {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    last_frame?: MediaInput | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Always 768p, as in the Model ID. Default: 768p. */
    resolution?: '768p' | undefined
    /** Length of the video in whole seconds. 4 to 15. Default: 5. */
    seconds?: number | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Long videos from a prompt, frames or up to ten reference images and ten reference videos, newer generation. */
  'videos_2.5_30_10_10_c5': {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** Images of subjects that must appear in the result, 0 to 10. */
    reference_images?: readonly MediaInput[] | undefined
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    last_frame?: MediaInput | undefined
    /** Reference videos, 0 to 10, at most 30 seconds together. In a prompt they are Video 1, Video 2 and so on. */
    reference_videos?: readonly MediaInput[] | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 4 to 30. Default: 5. */
    seconds?: number | undefined
    /** Adds a sound track if true. Default: false. */
    audio?: boolean | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Long videos from a prompt, frames or up to ten reference images and ten reference videos. */
  videos_30_10_10_c3: {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** Images of subjects that must appear in the result, 0 to 10. */
    reference_images?: readonly MediaInput[] | undefined
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    last_frame?: MediaInput | undefined
    /** Reference videos, 0 to 10, at most 30 seconds together. In a prompt they are Video 1, Video 2 and so on. */
    reference_videos?: readonly MediaInput[] | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 4 to 30. Default: 5. */
    seconds?: number | undefined
    /** Adds a sound track if true. Default: false. */
    audio?: boolean | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos from one image. */
  'vidH 1.1 v2 Image To Video': {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame: MediaInput
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 3 to 15. Default: 5. */
    seconds?: number | undefined
    /** Adds a sound track if true. Default: false. */
    audio?: boolean | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos of a new scene with the people and objects of one to nine reference images and up to three reference videos. */
  'vidH 1.1 v2 Reference Raw Video': {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** Images of subjects that must appear in the result, 1 to 9. */
    reference_images: readonly MediaInput[]
    /** Reference videos, 0 to 3, at most 15 seconds each. In a prompt they are Video 1, Video 2 and so on. */
    reference_videos?: readonly MediaInput[] | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 3 to 15. Default: 5. */
    seconds?: number | undefined
    /** Adds a sound track if true. Default: false. */
    audio?: boolean | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos from a prompt alone. */
  'vidH 1.1 v2 Text To Video': {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 3 to 15. Default: 5. */
    seconds?: number | undefined
    /** Adds a sound track if true. Default: false. */
    audio?: boolean | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos of a new scene with the content of one to nine reference images and up to three reference videos, in higher quality. */
  'vidW3.0-prime-r2v-c1': {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** Description of content that must not appear. 0 to 5000 characters. */
    negative_prompt?: string | undefined
    /** Images of subjects that must appear in the result, 1 to 9. */
    reference_images: readonly MediaInput[]
    /** Reference videos, 0 to 3, at most 30 seconds each. In a prompt they are Video 1, Video 2 and so on. */
    reference_videos?: readonly MediaInput[] | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 2 to 15. Default: 5. */
    seconds?: number | undefined
    /** Adds a sound track if true. Default: false. */
    audio?: boolean | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos of a new scene with the content of one to nine reference images and up to three reference videos. */
  'vidW3.0-video-r2v-c2': {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** Description of content that must not appear. 0 to 5000 characters. */
    negative_prompt?: string | undefined
    /** Images of subjects that must appear in the result, 1 to 9. */
    reference_images: readonly MediaInput[]
    /** Reference videos, 0 to 3, at most 30 seconds each. In a prompt they are Video 1, Video 2 and so on. */
    reference_videos?: readonly MediaInput[] | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 2 to 15. Default: 5. */
    seconds?: number | undefined
    /** Adds a sound track if true. Default: false. */
    audio?: boolean | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos from a prompt, frames or up to seven reference images. */
  'vidK O3 Video Generation': {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** Description of content that must not appear. 0 to 5000 characters. */
    negative_prompt?: string | undefined
    /** Images of subjects that must appear in the result, 0 to 7. */
    reference_images?: readonly MediaInput[] | undefined
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    last_frame?: MediaInput | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 3 to 15. Default: 5. */
    seconds?: number | undefined
    /** Adds a sound track if true. Default: false. */
    audio?: boolean | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos of 5 to 10 seconds at 720p. */
  vidB_1_5_pro_720p: {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    last_frame?: MediaInput | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Always 720p, as in the Model ID. Default: 720p. */
    resolution?: '720p' | undefined
    /** Length of the video in whole seconds. 5 to 10. Default: 5. */
    seconds?: number | undefined
    /** Adds a sound track if true. Default: false. */
    audio?: boolean | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos of 5 to 10 seconds at 1080p. */
  vidB_1_5_pro_1080p: {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    last_frame?: MediaInput | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Always 1080p, as in the Model ID. Default: 1080p. */
    resolution?: '1080p' | undefined
    /** Length of the video in whole seconds. 5 to 10. Default: 5. */
    seconds?: number | undefined
    /** Adds a sound track if true. Default: false. */
    audio?: boolean | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos from a prompt, frames or up to nine reference images. */
  vidB_2_0: {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** Images of subjects that must appear in the result, 0 to 9. */
    reference_images?: readonly MediaInput[] | undefined
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    last_frame?: MediaInput | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 4 to 15. Default: 5. */
    seconds?: number | undefined
    /** Adds a sound track if true. Default: false. */
    audio?: boolean | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Quick videos up to 720p from a prompt, frames or up to nine reference images. */
  vidB_2_0_fast: {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** Images of subjects that must appear in the result, 0 to 9. */
    reference_images?: readonly MediaInput[] | undefined
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    last_frame?: MediaInput | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | undefined
    /** Length of the video in whole seconds. 4 to 15. Default: 5. */
    seconds?: number | undefined
    /** Adds a sound track if true. Default: false. */
    audio?: boolean | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos in higher quality from a prompt, frames or up to nine reference images. */
  vidB_2_0_pro: {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** Images of subjects that must appear in the result, 0 to 9. */
    reference_images?: readonly MediaInput[] | undefined
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    last_frame?: MediaInput | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 4 to 15. Default: 5. */
    seconds?: number | undefined
    /** Adds a sound track if true. Default: false. */
    audio?: boolean | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos in higher quality, generated faster, up to 720p. */
  vidB_2_0_fast_pro: {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** Images of subjects that must appear in the result, 0 to 9. */
    reference_images?: readonly MediaInput[] | undefined
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    last_frame?: MediaInput | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | undefined
    /** Length of the video in whole seconds. 4 to 15. Default: 5. */
    seconds?: number | undefined
    /** Adds a sound track if true. Default: false. */
    audio?: boolean | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos of 10 or 15 seconds. */
  vidC2Stable: {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. Default: 10. */
    seconds?: 10 | 15 | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos of 4, 8 or 12 seconds. */
  vendorVidC2: {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. Default: 4. */
    seconds?: 4 | 8 | 12 | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos of 4, 8 or 12 seconds, with higher reliability. */
  vendorVidC2Stable: {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. Default: 4. */
    seconds?: 4 | 8 | 12 | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos of 4, 8 or 12 seconds in higher quality. */
  vendorVidC2Plus: {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. Default: 4. */
    seconds?: 4 | 8 | 12 | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos of 1 to 16 seconds from a prompt or frames, in higher quality. */
  'vidDq3-pro': {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    last_frame?: MediaInput | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '540p' | '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 1 to 16. Default: 5. */
    seconds?: number | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos of 1 to 16 seconds from a prompt or frames, generated faster. */
  'vidDq3-turbo': {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    last_frame?: MediaInput | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '540p' | '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 1 to 16. Default: 5. */
    seconds?: number | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos of 6 to 30 seconds from a prompt, a first frame or up to seven reference images. */
  vidG_video3: {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** Images of subjects that must appear in the result, 0 to 7. */
    reference_images?: readonly MediaInput[] | undefined
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | undefined
    /** Length of the video in whole seconds. 6 to 30. Default: 6. */
    seconds?: number | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos of exactly 10 seconds at 720p from a prompt, a first frame or up to seven reference images. */
  vidG_video3_pro: {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** Images of subjects that must appear in the result, 0 to 7. */
    reference_images?: readonly MediaInput[] | undefined
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Always 10 seconds. Default: 10. */
    seconds?: 10 | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos of 4, 6 or 8 seconds from a prompt or frames, in higher quality. */
  'veo-3.1': {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** Description of content that must not appear. 0 to 5000 characters. */
    negative_prompt?: string | undefined
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    last_frame?: MediaInput | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. Default: 8. */
    seconds?: 8 | 4 | 6 | undefined
    /** Adds a sound track if true. Default: false. */
    audio?: boolean | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos of 4, 6 or 8 seconds from a prompt or frames, generated faster. */
  'veo-3.1-fast': {
    /** Description of the result. 1 to 5000 characters. */
    prompt: string
    /** Description of content that must not appear. 0 to 5000 characters. */
    negative_prompt?: string | undefined
    /** The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    first_frame?: MediaInput | undefined
    /** The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    last_frame?: MediaInput | undefined
    /** Ratio of width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. Default: 8. */
    seconds?: 8 | 4 | 6 | undefined
    /** Adds a sound track if true. Default: false. */
    audio?: boolean | undefined
    /** Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a watermark of the provider or the platform if true. Default: false. */
    watermark?: boolean | undefined
  }
  /** A prompt with more detail: the subject as given, with its place, light, season, camera and style. */
  'text-prompt-enhance': {
    /** The prompt to enhance. 1 to 5000 characters. */
    prompt: string
    /** What the prompt is for. A prompt for a video also has a camera move. Default: image. */
    for?: 'image' | 'video' | undefined
    /** Style of the result, such as `watercolor` or `film noir`. Default: one that fits the prompt. 1 to 100 characters. */
    style?: string | undefined
  }
  /** A numbered list of shots for an idea. Each shot has a duration and a prompt for a video model. */
  'text-storyboard': {
    /** The idea to divide into shots. 1 to 5000 characters. */
    prompt: string
    /** Number of shots. 2 to 20. Default: 6. */
    shots?: number | undefined
  }
  /** A translation of a text. Requires a route to a provider. */
  'text-translate': {
    /** The text to translate. 1 to 10000 characters. */
    text: string
    /** The language of the result: its English name or its tag, such as `Spanish` or `pt-BR`. 2 to 60 characters. */
    to: string
  }
  /** A description of an image, which can be used as a prompt. Requires a route to a provider. */
  'text-caption': {
    /** The image to describe. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB. */
    image: MediaInput
  }
}
