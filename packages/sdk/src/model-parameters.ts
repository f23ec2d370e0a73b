// Made from the catalogue by `node tools/write-sdk-parameter-types.ts`.

/** A Model ID that this package knows. Any other works too: its parameters are then checked by the service alone. */
export type KnownModel = keyof ParametersByModel

/** What a request to each model may say. */
export interface ParametersByModel {
  /** Images from words and up to ten reference pictures, in the higher quality. Not invocable until an operator grants it. */
  'imgA_5.0Pro': {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** Pictures of what should appear, 0 to 10. */
    reference_images?: readonly string[] | undefined
    /** Width to height of the result. Default: 1:1. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 1K. */
    resolution?: '1K' | '2K' | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Images from words and up to ten reference pictures. */
  'imgA-5.0': {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** What should not appear, in words. 0 to 5000 characters. */
    negative_prompt?: string | undefined
    /** Pictures of what should appear, 0 to 10. */
    reference_images?: readonly string[] | undefined
    /** Width to height of the result. Default: 1:1. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 1K. */
    resolution?: '1K' | '2K' | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** The newest generation at the lowest price; longer waiting at busy hours. */
  'sd_2.5_discount_v1': {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** What should not appear, in words. 0 to 5000 characters. */
    negative_prompt?: string | undefined
    /** Pictures of what should appear, 0 to 9. */
    reference_images?: readonly string[] | undefined
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** The picture that the video ends with; needs first_frame. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    last_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 4 to 30. Default: 5. */
    seconds?: number | undefined
    /** Makes a sound track when true. Default: false. */
    audio?: boolean | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** The newest generation on the line that is served first. */
  'sd_2.5_special_v1': {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** What should not appear, in words. 0 to 5000 characters. */
    negative_prompt?: string | undefined
    /** Pictures of what should appear, 0 to 9. */
    reference_images?: readonly string[] | undefined
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** The picture that the video ends with; needs first_frame. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    last_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 4 to 30. Default: 5. */
    seconds?: number | undefined
    /** Makes a sound track when true. Default: false. */
    audio?: boolean | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Quick drafts up to 720p on the line that is served first. */
  'sd_2.0_fast_special': {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** What should not appear, in words. 0 to 5000 characters. */
    negative_prompt?: string | undefined
    /** Pictures of what should appear, 0 to 9. */
    reference_images?: readonly string[] | undefined
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** The picture that the video ends with; needs first_frame. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    last_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | undefined
    /** Length of the video in whole seconds. 4 to 15. Default: 5. */
    seconds?: number | undefined
    /** Makes a sound track when true. Default: false. */
    audio?: boolean | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** The smallest of its generation, up to 720p, on the line that is served first. */
  'sd_2.0_mini_special': {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** What should not appear, in words. 0 to 5000 characters. */
    negative_prompt?: string | undefined
    /** Pictures of what should appear, 0 to 9. */
    reference_images?: readonly string[] | undefined
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** The picture that the video ends with; needs first_frame. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    last_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | undefined
    /** Length of the video in whole seconds. 4 to 15. Default: 5. */
    seconds?: number | undefined
    /** Makes a sound track when true. Default: false. */
    audio?: boolean | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** The full model of its generation on the line that is served first. */
  'sd_2.0_special': {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** What should not appear, in words. 0 to 5000 characters. */
    negative_prompt?: string | undefined
    /** Pictures of what should appear, 0 to 9. */
    reference_images?: readonly string[] | undefined
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** The picture that the video ends with; needs first_frame. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    last_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 4 to 15. Default: 5. */
    seconds?: number | undefined
    /** Makes a sound track when true. Default: false. */
    audio?: boolean | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** The full model of its generation at the lowest price; longer waiting at busy hours. */
  'sd_2.0_discount': {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** What should not appear, in words. 0 to 5000 characters. */
    negative_prompt?: string | undefined
    /** Pictures of what should appear, 0 to 9. */
    reference_images?: readonly string[] | undefined
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** The picture that the video ends with; needs first_frame. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    last_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 4 to 15. Default: 5. */
    seconds?: number | undefined
    /** Makes a sound track when true. Default: false. */
    audio?: boolean | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Quick drafts up to 720p at the lowest price. */
  'sd_2.0_fast_discount': {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** What should not appear, in words. 0 to 5000 characters. */
    negative_prompt?: string | undefined
    /** Pictures of what should appear, 0 to 9. */
    reference_images?: readonly string[] | undefined
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** The picture that the video ends with; needs first_frame. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    last_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | undefined
    /** Length of the video in whole seconds. 4 to 15. Default: 5. */
    seconds?: number | undefined
    /** Makes a sound track when true. Default: false. */
    audio?: boolean | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** The smallest and cheapest of its generation, up to 720p. */
  'sd_2.0_mini_discount': {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** What should not appear, in words. 0 to 5000 characters. */
    negative_prompt?: string | undefined
    /** Pictures of what should appear, 0 to 9. */
    reference_images?: readonly string[] | undefined
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** The picture that the video ends with; needs first_frame. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    last_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | undefined
    /** Length of the video in whole seconds. 4 to 15. Default: 5. */
    seconds?: number | undefined
    /** Makes a sound track when true. Default: false. */
    audio?: boolean | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos at 1080p from words, frames or up to nine reference pictures. */
  'vidM-H3_933_1080p': {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** Pictures of what should appear, 0 to 9. */
    reference_images?: readonly string[] | undefined
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** The picture that the video ends with; needs first_frame. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    last_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Always 1080p: the Model ID says so. Default: 1080p. */
    resolution?: '1080p' | undefined
    /** Length of the video in whole seconds. 4 to 15. Default: 5. */
    seconds?: number | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos at 2K from words or frames. */
  'vidM-H3-2K-c1': {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** The picture that the video ends with; needs first_frame. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    last_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Always 2K: the Model ID says so. Default: 2K. */
    resolution?: '2K' | undefined
    /** Length of the video in whole seconds. 4 to 15. Default: 5. */
    seconds?: number | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos at 768p from words or frames. */
  'vidM-H3-768p': {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** The picture that the video ends with; needs first_frame. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    last_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Always 768p: the Model ID says so. Default: 768p. */
    resolution?: '768p' | undefined
    /** Length of the video in whole seconds. 4 to 15. Default: 5. */
    seconds?: number | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos at 768p from words or frames, through the second channel. */
  'vidM-H3-768p-c2': {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** The picture that the video ends with; needs first_frame. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    last_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Always 768p: the Model ID says so. Default: 768p. */
    resolution?: '768p' | undefined
    /** Length of the video in whole seconds. 4 to 15. Default: 5. */
    seconds?: number | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Long videos from words, frames or up to ten reference pictures, newer generation. */
  'videos_2.5_30_10_10_c5': {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** Pictures of what should appear, 0 to 10. */
    reference_images?: readonly string[] | undefined
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** The picture that the video ends with; needs first_frame. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    last_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 4 to 30. Default: 5. */
    seconds?: number | undefined
    /** Makes a sound track when true. Default: false. */
    audio?: boolean | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Long videos from words, frames or up to ten reference pictures. */
  videos_30_10_10_c3: {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** Pictures of what should appear, 0 to 10. */
    reference_images?: readonly string[] | undefined
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** The picture that the video ends with; needs first_frame. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    last_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 4 to 30. Default: 5. */
    seconds?: number | undefined
    /** Makes a sound track when true. Default: false. */
    audio?: boolean | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Sets a picture in motion. */
  'vidH 1.1 v2 Image To Video': {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame: string
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 3 to 15. Default: 5. */
    seconds?: number | undefined
    /** Makes a sound track when true. Default: false. */
    audio?: boolean | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** A new scene with the people and things of one to nine reference pictures. */
  'vidH 1.1 v2 Reference Raw Video': {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** Pictures of what should appear, 1 to 9. */
    reference_images: readonly string[]
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 3 to 15. Default: 5. */
    seconds?: number | undefined
    /** Makes a sound track when true. Default: false. */
    audio?: boolean | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos from words alone. */
  'vidH 1.1 v2 Text To Video': {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 3 to 15. Default: 5. */
    seconds?: number | undefined
    /** Makes a sound track when true. Default: false. */
    audio?: boolean | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** The higher quality: a new scene with what one to nine reference pictures show. */
  'vidW3.0-prime-r2v-c1': {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** What should not appear, in words. 0 to 5000 characters. */
    negative_prompt?: string | undefined
    /** Pictures of what should appear, 1 to 9. */
    reference_images: readonly string[]
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 2 to 15. Default: 5. */
    seconds?: number | undefined
    /** Makes a sound track when true. Default: false. */
    audio?: boolean | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** A new scene with what one to nine reference pictures show. */
  'vidW3.0-video-r2v-c2': {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** What should not appear, in words. 0 to 5000 characters. */
    negative_prompt?: string | undefined
    /** Pictures of what should appear, 1 to 9. */
    reference_images: readonly string[]
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 2 to 15. Default: 5. */
    seconds?: number | undefined
    /** Makes a sound track when true. Default: false. */
    audio?: boolean | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos from words, a first and last frame, or up to seven reference pictures. */
  'vidK O3 Video Generation': {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** What should not appear, in words. 0 to 5000 characters. */
    negative_prompt?: string | undefined
    /** Pictures of what should appear, 0 to 7. */
    reference_images?: readonly string[] | undefined
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** The picture that the video ends with; needs first_frame. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    last_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 3 to 15. Default: 5. */
    seconds?: number | undefined
    /** Makes a sound track when true. Default: false. */
    audio?: boolean | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos of 5 to 10 seconds at 720p. */
  vidB_1_5_pro_720p: {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** The picture that the video ends with; needs first_frame. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    last_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Always 720p: the Model ID says so. Default: 720p. */
    resolution?: '720p' | undefined
    /** Length of the video in whole seconds. 5 to 10. Default: 5. */
    seconds?: number | undefined
    /** Makes a sound track when true. Default: false. */
    audio?: boolean | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos of 5 to 10 seconds at 1080p. */
  vidB_1_5_pro_1080p: {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** The picture that the video ends with; needs first_frame. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    last_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Always 1080p: the Model ID says so. Default: 1080p. */
    resolution?: '1080p' | undefined
    /** Length of the video in whole seconds. 5 to 10. Default: 5. */
    seconds?: number | undefined
    /** Makes a sound track when true. Default: false. */
    audio?: boolean | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos from words, frames or up to nine reference pictures. */
  vidB_2_0: {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** Pictures of what should appear, 0 to 9. */
    reference_images?: readonly string[] | undefined
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** The picture that the video ends with; needs first_frame. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    last_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 4 to 15. Default: 5. */
    seconds?: number | undefined
    /** Makes a sound track when true. Default: false. */
    audio?: boolean | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Quick videos up to 720p from words, frames or up to nine reference pictures. */
  vidB_2_0_fast: {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** Pictures of what should appear, 0 to 9. */
    reference_images?: readonly string[] | undefined
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** The picture that the video ends with; needs first_frame. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    last_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | undefined
    /** Length of the video in whole seconds. 4 to 15. Default: 5. */
    seconds?: number | undefined
    /** Makes a sound track when true. Default: false. */
    audio?: boolean | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** The higher quality, from words, frames or up to nine reference pictures. */
  vidB_2_0_pro: {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** Pictures of what should appear, 0 to 9. */
    reference_images?: readonly string[] | undefined
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** The picture that the video ends with; needs first_frame. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    last_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 4 to 15. Default: 5. */
    seconds?: number | undefined
    /** Makes a sound track when true. Default: false. */
    audio?: boolean | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** The higher quality at speed, up to 720p. */
  vidB_2_0_fast_pro: {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** Pictures of what should appear, 0 to 9. */
    reference_images?: readonly string[] | undefined
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** The picture that the video ends with; needs first_frame. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    last_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | undefined
    /** Length of the video in whole seconds. 4 to 15. Default: 5. */
    seconds?: number | undefined
    /** Makes a sound track when true. Default: false. */
    audio?: boolean | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos of 10 or 15 seconds. */
  vidC2Stable: {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. Default: 10. */
    seconds?: 10 | 15 | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos of 4, 8 or 12 seconds. */
  vendorVidC2: {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. Default: 4. */
    seconds?: 4 | 8 | 12 | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos of 4, 8 or 12 seconds on the steadier line. */
  vendorVidC2Stable: {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. Default: 4. */
    seconds?: 4 | 8 | 12 | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos of 4, 8 or 12 seconds in the higher quality. */
  vendorVidC2Plus: {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. Default: 4. */
    seconds?: 4 | 8 | 12 | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos of 1 to 16 seconds from words or frames, in the higher quality. */
  'vidDq3-pro': {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** The picture that the video ends with; needs first_frame. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    last_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '540p' | '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 1 to 16. Default: 5. */
    seconds?: number | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos of 1 to 16 seconds from words or frames, at speed. */
  'vidDq3-turbo': {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** The picture that the video ends with; needs first_frame. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    last_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '540p' | '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. 1 to 16. Default: 5. */
    seconds?: number | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos of 6 to 30 seconds from words or up to seven reference pictures. */
  vidG_video3: {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** Pictures of what should appear, 0 to 7. */
    reference_images?: readonly string[] | undefined
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '480p' | '720p' | undefined
    /** Length of the video in whole seconds. 6 to 30. Default: 6. */
    seconds?: number | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos of exactly 10 seconds from words or up to seven reference pictures; the size cannot be chosen. */
  vidG_video3_pro: {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** Pictures of what should appear, 0 to 7. */
    reference_images?: readonly string[] | undefined
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Always 10 seconds. Default: 10. */
    seconds?: 10 | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos of 4, 6 or 8 seconds from words or frames, in the higher quality. */
  'veo-3.1': {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** What should not appear, in words. 0 to 5000 characters. */
    negative_prompt?: string | undefined
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** The picture that the video ends with; needs first_frame. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    last_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. Default: 8. */
    seconds?: 8 | 4 | 6 | undefined
    /** Makes a sound track when true. Default: false. */
    audio?: boolean | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
  /** Videos of 4, 6 or 8 seconds from words or frames, at speed. */
  'veo-3.1-fast': {
    /** What to make, in words. 1 to 5000 characters. */
    prompt: string
    /** What should not appear, in words. 0 to 5000 characters. */
    negative_prompt?: string | undefined
    /** The picture that the video starts from. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    first_frame?: string | undefined
    /** The picture that the video ends with; needs first_frame. An http or https URL of at most 2048 characters, `asset:` and the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF picture in padded base64 without line breaks, at most 12 MiB of text in one request. */
    last_frame?: string | undefined
    /** Width to height of the result. Default: 16:9. */
    aspect_ratio?: '1:1' | '3:4' | '4:3' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined
    /** Size of the result. Default: 720p. */
    resolution?: '720p' | '1080p' | undefined
    /** Length of the video in whole seconds. Default: 8. */
    seconds?: 8 | 4 | 6 | undefined
    /** Makes a sound track when true. Default: false. */
    audio?: boolean | undefined
    /** The same request with the same seed aims at the same result. Left out, it follows from the prompt. 0 to 4294967295. */
    seed?: number | undefined
    /** Adds a provider or platform watermark when true. Default: false. */
    watermark?: boolean | undefined
  }
}
