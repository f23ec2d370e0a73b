/**
 * Response of `GET /models` of an OpenAI-compatible server, including duplicates and invalid
 * entries.
 */
export const openaiModels = {
  object: 'list',
  data: [
    { id: 'sora-2', object: 'model', created: 1_790_000_000, owned_by: 'studio' },
    { id: 'gpt-image-1.5', object: 'model', created: 1_790_000_000, owned_by: 'studio' },
    { id: 'org/wan-2.7-t2v', object: 'model', created: 1_790_000_000, owned_by: 'org' },
    { id: 'gpt-5', object: 'model', created: 1_790_000_000, owned_by: 'studio' },
    { id: 'mystery', object: 'model' },
    { id: 'mystery', object: 'model' },
    { id: 'a\u202eb' },
    { id: 7 },
    null,
  ],
}

const commonFields = {
  created: 1_790_000_000,
  supported_sizes: null,
  allowed_passthrough_parameters: [],
  upscale_factor: null,
  creativity: null,
}

/** Response of `GET /videos/models` of OpenRouter. Null: unknown. */
export const openrouterVideoModels = {
  data: [
    {
      ...commonFields,
      id: 'google/veo-3.1',
      canonical_slug: 'google/veo-3.1-20260101',
      name: 'Google: Veo 3.1',
      description: 'Video with sound.',
      supported_resolutions: ['720p', '1080p', '4K'],
      supported_aspect_ratios: ['16:9', '9:16'],
      supported_durations: [4, 6, 8],
      supported_frame_images: ['first_frame', 'last_frame'],
      generate_audio: true,
      seed: true,
      pricing_skus: { duration_seconds_with_audio: '0.40', duration_seconds_without_audio: '0.20' },
    },
    {
      ...commonFields,
      id: 'kwaivgi/kling-v3',
      canonical_slug: 'kwaivgi/kling-v3',
      name: 'Kling: V3',
      supported_resolutions: ['720p', '1080p'],
      supported_aspect_ratios: ['16:9', '9:16', '1:1', '5:4'],
      supported_durations: [3, 5, 10, 15],
      supported_frame_images: null,
      generate_audio: null,
      seed: false,
      pricing_skus: {},
    },
    {
      ...commonFields,
      id: 'unknown/everything',
      canonical_slug: 'unknown/everything',
      name: 'Unknown',
      supported_resolutions: null,
      supported_aspect_ratios: null,
      supported_durations: null,
      supported_frame_images: null,
      generate_audio: null,
      seed: null,
      pricing_skus: null,
    },
  ],
}
