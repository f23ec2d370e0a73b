import { nearestName } from '../lib/nearest-name.ts'
import type { ParameterName } from './generation-parameters.ts'

/**
 * Maximum length of a name to compare. A longer text is not the name of a parameter in any service,
 * and a comparison would take time.
 */
const nameCharactersMax = 40

/**
 * Names that other services use for the shared parameters. Each group lists the possible
 * parameters, most likely first. Case, dashes, underscores, dots and spaces are ignored.
 */
const foreignNames: readonly (readonly [meant: readonly ParameterName[], names: readonly string[]])[] = [
  [
    ['seconds'],
    [
      'duration',
      'duration_seconds',
      'duration_s',
      'video_duration',
      'clip_duration',
      'length',
      'video_length',
      'clip_length',
      'length_seconds',
      'num_seconds',
      'secs',
      'frames',
      'num_frames',
      'frame_count',
    ],
  ],
  [
    ['aspect_ratio', 'resolution'],
    ['size', 'image_size', 'video_size', 'output_size', 'dimensions', 'width', 'height', 'target_size'],
  ],
  [
    ['aspect_ratio'],
    ['ratio', 'aspect', 'target_aspect_ratio', 'image_ratio', 'video_ratio', 'image_aspect_ratio', 'orientation'],
  ],
  [
    ['resolution'],
    [
      'quality',
      'video_quality',
      'image_quality',
      'definition',
      'video_resolution',
      'image_resolution',
      'output_resolution',
      'megapixels',
    ],
  ],
  [
    ['first_frame', 'reference_images', 'image'],
    [
      'image',
      'image_url',
      'img_url',
      'img',
      'input_image',
      'input_image_url',
      'input_reference',
      'init_image',
      'init_image_url',
      'start_image',
      'start_image_url',
      'start_frame',
      'first_image',
      'first_frame_image',
      'first_frame_url',
      'first_frame_image_url',
      'prompt_image',
      'base64_image',
      'image_base64',
      'picture',
    ],
  ],
  [
    ['last_frame'],
    [
      'last_image',
      'last_frame_image',
      'last_frame_url',
      'last_frame_image_url',
      'end_image',
      'end_image_url',
      'end_frame',
      'tail_image',
      'tail_image_url',
      'image_tail',
      'final_frame',
    ],
  ],
  [
    ['reference_images', 'first_frame'],
    [
      'images',
      'image_urls',
      'image_list',
      'img_urls',
      'input_images',
      'input_urls',
      'input_references',
      'references',
      'reference',
      'reference_image',
      'reference_image_url',
      'reference_image_urls',
      'ref_image',
      'ref_images',
      'ref_image_urls',
      'subject_reference',
      'style_reference',
      'image_references',
      'subjects',
      'elements',
      'ingredients',
    ],
  ],
  [
    ['input_video', 'reference_videos'],
    ['video', 'video_url', 'video_uri', 'driving_video', 'source_video', 'init_video', 'first_clip', 'base_video'],
  ],
  [
    ['reference_videos', 'input_video'],
    ['videos', 'video_urls', 'video_list', 'reference_video', 'reference_video_url', 'reference_video_urls', 'ref_videos'],
  ],
  [
    ['input_audio', 'reference_audios'],
    ['audio_url', 'audio_uri', 'driving_audio', 'sound_file', 'voice_url'],
  ],
  [
    ['reference_audios', 'input_audio'],
    ['audios', 'audio_urls', 'audio_list', 'reference_audio', 'reference_audio_url', 'reference_audio_urls'],
  ],
  [['mask'], ['mask_url', 'mask_image', 'mask_image_url', 'image_mask']],
  [['keep_audio'], ['keep_original_sound', 'keep_sound', 'preserve_audio']],
  [['negative_prompt'], ['negative', 'neg_prompt', 'negative_text', 'negative_prompts', 'unwanted', 'exclude']],
  [
    ['prompt'],
    [
      'text',
      'input',
      'text_prompt',
      'prompt_text',
      'positive_prompt',
      'positive',
      'description',
      'instruction',
      'caption',
      'query',
    ],
  ],
  [['seed'], ['random_seed', 'noise_seed', 'rng_seed', 'seed_value']],
  [['watermark'], ['add_watermark', 'aigc_watermark', 'with_watermark', 'enable_watermark', 'logo_add']],
  [
    ['audio'],
    [
      'sound',
      'generate_audio',
      'enable_audio',
      'with_audio',
      'include_audio',
      'add_audio',
      'has_audio',
      'keep_audio',
      'enable_sound',
      'with_sound',
      'generate_sound',
      'sound_effects',
      'bgm',
      'music',
    ],
  ],
]

const resultCountNames = [
  'n',
  'num_images',
  'num_videos',
  'num_outputs',
  'num_results',
  'number_of_images',
  'number_of_videos',
  'number_of_results',
  'image_count',
  'video_count',
  'sample_count',
  'batch_size',
  'max_images',
  'count',
]

const parametersByForeignName = new Map(
  foreignNames.flatMap(([meant, names]) => names.map((name) => [normalizeName(name), meant] as const)),
)
const normalizedCountNames = new Set(resultCountNames.map(normalizeName))
const allForeignNames = foreignNames.flatMap(([, names]) => names)

/**
 * Returns the parameters of `accepted` that another service's name may refer to. The written name
 * may differ from that name by up to `editsMax` edits.
 */
export function parametersOfForeignName(writtenName: string, accepted: readonly string[], editsMax: number): readonly string[] {
  if (writtenName.length > nameCharactersMax) return []
  const name = editsMax === 0 ? writtenName : nearestName(writtenName, allForeignNames, editsMax)
  return (name === undefined ? [] : (parametersByForeignName.get(normalizeName(name)) ?? [])).filter((parameter) =>
    accepted.includes(parameter),
  )
}

/** Whether other services use this name for the number of results. */
export function isResultCount(name: string): boolean {
  return name.length <= nameCharactersMax && normalizedCountNames.has(normalizeName(name))
}

function normalizeName(name: string): string {
  return name.toLowerCase().replace(/[\s_.-]/g, '')
}
