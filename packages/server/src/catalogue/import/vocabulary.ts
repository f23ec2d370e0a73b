/**
 * The names that providers use for each shared parameter. A mapping also depends on the type
 * (`map-shared.ts`), because a field `audio` is a boolean at one provider and a file at another.
 */
const providerNames = {
  prompt: ['prompt', 'text_prompt', 'prompt_text'],
  negative_prompt: ['negative_prompt'],
  aspect_ratio: ['aspect_ratio', 'ratio'],
  resolution: ['resolution', 'video_resolution', 'output_resolution', 'megapixels', 'quality_resolution'],
  seconds: ['duration', 'seconds', 'duration_seconds', 'video_duration', 'length_seconds'],
  audio: ['generate_audio', 'audio', 'enable_audio', 'with_audio', 'sound'],
  seed: ['seed', 'noise_seed'],
  first_frame: [
    'image_url',
    'start_image_url',
    'first_frame_url',
    'first_frame_image_url',
    'first_image_url',
    'first_frame_image',
    'start_image',
    'first_frame',
    'image',
    'input_image',
    'input_image_url',
    'img',
  ],
  last_frame: [
    'end_image_url',
    'tail_image_url',
    'last_frame_url',
    'last_frame_image',
    'last_frame_image_url',
    'last_image_url',
    'end_image',
    'last_image',
    'last_frame',
    'tail_image',
  ],
  reference_images: [
    'reference_images',
    'image_urls',
    'reference_image_urls',
    'image_input',
    'input_images',
    'images',
    'input_image_urls',
    'reference_image_url',
    'reference_image',
    'subject_reference_image_url',
    'subject_reference',
  ],
  keep_audio: ['keep_audio', 'keep_original_sound', 'preserve_audio'],
  mask: ['mask', 'mask_url', 'mask_image', 'mask_image_url'],
  input_video: ['input_video', 'video_url', 'video', 'driving_video', 'base_video', 'source_video'],
  input_audio: ['input_audio', 'audio_url', 'audio', 'driving_audio', 'sound_file', 'audio_file'],
  reference_videos: ['reference_videos', 'reference_video_urls', 'video_urls'],
  reference_audios: ['reference_audios', 'reference_audio_urls', 'audio_urls'],
} as const

/**
 * Neutral names for frequent parameters outside the shared vocabulary, so that imported models use
 * the same name for the same meaning.
 */
const neutralNames = {
  guidance: ['guidance', 'guidance_scale', 'cfg_scale', 'cfg'],
  steps: ['steps', 'num_inference_steps', 'num_steps', 'sampling_steps', 'inference_steps'],
  strength: ['strength', 'image_strength', 'denoise', 'denoising_strength'],
  enhance_prompt: [
    'enhance_prompt',
    'prompt_optimizer',
    'enable_prompt_expansion',
    'expand_prompt',
    'prompt_extend',
    'prompt_upsampling',
    'prompt_enhancer',
    'auto_fix',
    'magic_prompt',
  ],
  fps: ['fps', 'frames_per_second', 'frame_rate', 'framerate'],
  style: ['style', 'style_type', 'style_preset'],
  camera_fixed: ['camera_fixed'],
  output_format: ['output_format'],
  n: ['n', 'num_images', 'num_outputs', 'number_of_images', 'num_videos'],
} as const

export type SharedName = keyof typeof providerNames
export type NeutralName = keyof typeof neutralNames

/** Returns the shared parameters that a provider's field name may mean. */
export function sharedMeaningsOf(name: string): SharedName[] {
  return meaningsIn(providerNames, name)
}

export function neutralMeaningsOf(name: string): NeutralName[] {
  return meaningsIn(neutralNames, name)
}

function meaningsIn<Name extends string>(names: Readonly<Record<Name, readonly string[]>>, name: string): Name[] {
  return (Object.keys(names) as Name[]).filter((meaning) => names[meaning].includes(name))
}

/** Returns the reason why clients must not get a field as a parameter, or undefined if they may. */
export function hiddenReason(name: string, type: string | undefined, isSecret: boolean): string | undefined {
  if (isSecret || /(^|_)(api_?key|token|secret|password|credentials?)$/.test(name)) return 'it holds a secret of the operator'
  if (name === 'sync_mode' && type === 'boolean') return 'results are fetched by their address'
  if (/safety|nsfw|moderation/.test(name)) return "it switches the provider's safety checks; an operator may set it in extra"
  if (
    /(^|_)loras?($|_)|lora_(weights|url|path|scale)|^(hf_|extra_|replicate_)?weights$|_weights_(url|path)$|checkpoint|^model_path$/.test(
      name,
    )
  )
    return 'it lets clients make the provider download models from any address; an operator may set it in extra'
  if (/^webhook|callback_?url$/.test(name)) return 'the service sets its own callback'
  return undefined
}
