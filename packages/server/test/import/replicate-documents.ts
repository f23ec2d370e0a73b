/**
 * Replicate models, structured as Replicate serves them: enums as components behind `allOf`, the
 * field order in `x-order`, files as `format: uri`, and an example of each model.
 */
type Schema = Record<string, unknown>

interface Model {
  name: string
  description: string
  isOfficial: boolean
  openapi?: '3.0.2' | '3.1.0'
  required: string[]
  /** Inputs in display order. An input with an entry in `enums` refers to this enum. */
  input: Record<string, Schema>
  enums?: Record<string, { values: unknown[]; defaultValue?: unknown; nullable?: boolean }>
  output: Schema
  example: { input: Record<string, unknown>; output: unknown }
}

const uriSchema = (extra: Schema = {}): Schema => ({ type: 'string', format: 'uri', ...extra })
const integerSchema = (minimum: number, maximum: number, defaultValue: number): Schema => ({
  type: 'integer',
  minimum,
  maximum,
  default: defaultValue,
})
const seed: Schema = { type: 'integer', nullable: true, description: 'Random seed. Leave blank to randomize.' }
const uriListOutput: Schema = { type: 'array', items: uriSchema(), title: 'Output' }
const videoUrl = 'https://replicate.delivery/xezq/kite.mp4'
const imageUrl = 'https://replicate.delivery/xezq/kite.webp'
const ratios = ['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3', '21:9']

const replicateModels: readonly Model[] = [
  {
    name: 'minimax/video-01',
    description: 'Generate 6s videos with prompts or images.',
    isOfficial: true,
    required: ['prompt'],
    input: {
      prompt: { type: 'string', description: 'Text prompt for generation' },
      prompt_optimizer: { type: 'boolean', default: true },
      first_frame_image: uriSchema({ description: 'First frame image for video generation.' }),
      subject_reference: uriSchema({ description: 'An optional character reference image.' }),
    },
    output: uriSchema({ title: 'Output' }),
    example: { input: { prompt: 'a kite over dunes', prompt_optimizer: true }, output: videoUrl },
  },
  {
    name: 'black-forest-labs/flux-fill-pro',
    description: 'Professional inpainting and outpainting.',
    isOfficial: true,
    required: ['prompt', 'image'],
    input: {
      image: uriSchema({ description: 'The image to inpaint.' }),
      mask: uriSchema({ description: 'A black-and-white image that describes the part of the image to inpaint.' }),
      prompt: { type: 'string' },
      outpaint: {},
      steps: integerSchema(15, 50, 50),
      prompt_upsampling: { type: 'boolean', default: false },
      seed,
      guidance: { type: 'number', minimum: 1.5, maximum: 100, default: 60 },
      safety_tolerance: integerSchema(1, 6, 2),
      output_format: {},
    },
    enums: {
      outpaint: {
        values: [
          'None',
          'Zoom out 1.5x',
          'Zoom out 2x',
          'Make square',
          'Left outpaint',
          'Right outpaint',
          'Top outpaint',
          'Bottom outpaint',
        ],
        defaultValue: 'None',
      },
      output_format: { values: ['jpg', 'png'], defaultValue: 'jpg' },
    },
    output: uriSchema({ title: 'Output' }),
    example: { input: { prompt: 'a red kite', image: imageUrl }, output: imageUrl },
  },
  {
    name: 'lightricks/ltx-video',
    description: 'LTX-Video is the first DiT-based video generation model.',
    isOfficial: false,
    required: [],
    input: {
      prompt: { type: 'string', default: 'best quality, 4k, HDR, a tracking shot', description: 'Text prompt for the video.' },
      negative_prompt: { type: 'string', default: 'low quality, worst quality, deformed, distorted' },
      image: uriSchema({ description: 'Optional input image to use as the starting frame' }),
      image_noise_scale: { type: 'number', minimum: 0, maximum: 1, default: 0.15 },
      target_size: {},
      aspect_ratio: {},
      cfg: { type: 'number', minimum: 1, maximum: 20, default: 3 },
      steps: integerSchema(1, 50, 30),
      length: {},
      model: {},
      seed,
    },
    enums: {
      target_size: { values: [512, 576, 640, 704, 768, 832, 896, 960, 1024], defaultValue: 640 },
      aspect_ratio: {
        values: ['1:1', '1:2', '2:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '9:21', '21:9'],
        defaultValue: '3:2',
      },
      length: { values: [97, 129, 161, 193, 225, 257], defaultValue: 97 },
      model: { values: ['0.9.1', '0.9'], defaultValue: '0.9.1' },
    },
    output: uriListOutput,
    example: { input: { prompt: 'a kite over dunes', aspect_ratio: '16:9', length: 97 }, output: [videoUrl] },
  },
  {
    name: 'bytedance/seedance-2.0',
    description: 'A multimodal video generation model.',
    isOfficial: true,
    openapi: '3.1.0',
    required: ['prompt'],
    input: {
      prompt: { type: 'string' },
      image: uriSchema({ description: 'Input image for image-to-video generation', nullable: true }),
      last_frame_image: uriSchema({ nullable: true }),
      reference_images: { type: 'array', items: uriSchema(), default: [], maxItems: 9 },
      reference_videos: { type: 'array', items: uriSchema(), default: [], maxItems: 3 },
      reference_audios: { type: 'array', items: uriSchema(), default: [], maxItems: 3 },
      duration: integerSchema(-1, 15, 5),
      resolution: {},
      aspect_ratio: {},
      generate_audio: { type: 'boolean', default: true },
      seed,
    },
    enums: {
      resolution: { values: ['480p', '720p', '1080p'], defaultValue: '720p' },
      aspect_ratio: { values: ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9', '9:21', 'adaptive'], defaultValue: '16:9' },
    },
    output: uriSchema({ title: 'Output' }),
    example: { input: { prompt: 'a kite over dunes', duration: 5, resolution: '720p' }, output: videoUrl },
  },
  {
    name: 'kwaivgi/kling-v3-video',
    description: 'Kling 3.0 video generation with audio.',
    isOfficial: true,
    required: ['prompt'],
    input: {
      prompt: { type: 'string', maxLength: 2500 },
      negative_prompt: { type: 'string', default: '' },
      start_image: uriSchema({ nullable: true }),
      end_image: uriSchema({ nullable: true }),
      mode: {},
      duration: integerSchema(3, 15, 5),
      aspect_ratio: {},
      generate_audio: { type: 'boolean', default: false },
    },
    enums: {
      mode: { values: ['standard', 'pro'], defaultValue: 'pro' },
      aspect_ratio: { values: ['16:9', '9:16', '1:1'], defaultValue: '16:9' },
    },
    output: uriSchema({ title: 'Output' }),
    example: { input: { prompt: 'a kite over dunes', mode: 'pro' }, output: videoUrl },
  },
  {
    name: 'black-forest-labs/flux-schnell',
    description: 'The fastest image generation model tailored for local development and personal use.',
    isOfficial: true,
    required: ['prompt'],
    input: {
      prompt: { type: 'string', description: 'Prompt for generated image' },
      aspect_ratio: {},
      num_outputs: integerSchema(1, 4, 1),
      num_inference_steps: integerSchema(1, 4, 4),
      seed,
      output_format: {},
      output_quality: integerSchema(0, 100, 80),
      disable_safety_checker: { type: 'boolean', default: false },
      go_fast: { type: 'boolean', default: true },
      megapixels: {},
    },
    enums: {
      aspect_ratio: { values: [...ratios, '4:5', '5:4', '9:21'], defaultValue: '1:1' },
      output_format: { values: ['webp', 'jpg', 'png'], defaultValue: 'webp' },
      megapixels: { values: ['1', '0.25'], defaultValue: '1' },
    },
    output: uriListOutput,
    example: { input: { prompt: 'a red kite', aspect_ratio: '16:9', num_outputs: 1 }, output: [imageUrl] },
  },
  {
    name: 'stability-ai/sdxl',
    description: 'A text-to-image generative AI model that creates beautiful images.',
    isOfficial: false,
    required: [],
    input: {
      prompt: { type: 'string', default: 'An astronaut riding a rainbow unicorn' },
      negative_prompt: { type: 'string', default: '' },
      image: uriSchema({ description: 'Input image for img2img or inpaint mode' }),
      mask: uriSchema({ description: 'Input mask for inpaint mode.' }),
      width: { type: 'integer', default: 1024 },
      height: { type: 'integer', default: 1024 },
      num_outputs: integerSchema(1, 4, 1),
      scheduler: {},
      num_inference_steps: integerSchema(1, 500, 50),
      guidance_scale: { type: 'number', minimum: 1, maximum: 50, default: 7.5 },
      prompt_strength: { type: 'number', minimum: 0, maximum: 1, default: 0.8 },
      seed: { type: 'integer', default: null },
      refine_steps: { type: 'integer', default: null },
      apply_watermark: { type: 'boolean', default: true },
      lora_scale: { type: 'number', ge: 0, le: 1, default: 0.6 },
      replicate_weights: { type: 'string', description: 'Replicate LoRA weights to use.' },
      high_noise_frac: { type: 'number', ge: 0, le: 1, default: 0.8 },
    },
    enums: { scheduler: { values: ['DDIM', 'DPMSolverMultistep', 'HeunDiscrete', 'K_EULER'], defaultValue: 'K_EULER' } },
    output: uriListOutput,
    example: { input: { prompt: 'a red kite', width: 768, height: 768 }, output: ['https://replicate.delivery/pbxt/kite.png'] },
  },
  {
    name: 'google/veo-3.1',
    description: 'Higher-fidelity video with context-aware audio.',
    isOfficial: true,
    openapi: '3.1.0',
    required: ['prompt'],
    input: {
      prompt: { type: 'string' },
      aspect_ratio: {},
      duration: {},
      image: uriSchema({ nullable: true }),
      last_frame: uriSchema({ nullable: true }),
      reference_images: { type: 'array', items: uriSchema(), default: [] },
      negative_prompt: { type: 'string', nullable: true },
      resolution: {},
      generate_audio: { type: 'boolean', default: true },
      seed,
    },
    enums: {
      aspect_ratio: { values: ['16:9', '9:16'], defaultValue: '16:9' },
      duration: { values: [4, 6, 8], defaultValue: 8 },
      resolution: { values: ['720p', '1080p'], defaultValue: '1080p' },
    },
    output: uriSchema({ title: 'Output' }),
    example: { input: { prompt: 'a kite over dunes', duration: 8 }, output: videoUrl },
  },
  {
    name: 'google/nano-banana-pro',
    description: 'State of the art image generation and editing.',
    isOfficial: true,
    required: ['prompt'],
    input: {
      prompt: { type: 'string' },
      image_input: { type: 'array', items: uriSchema(), default: [], description: 'Input images, up to 14.' },
      aspect_ratio: {},
      resolution: {},
      output_format: {},
      safety_filter_level: {},
    },
    enums: {
      aspect_ratio: { values: ['match_input_image', ...ratios, '4:5', '5:4'], defaultValue: 'match_input_image' },
      resolution: { values: ['1K', '2K', '4K'], defaultValue: '2K' },
      output_format: { values: ['jpg', 'png'], defaultValue: 'jpg' },
      safety_filter_level: {
        values: ['block_low_and_above', 'block_medium_and_above', 'block_only_high'],
        defaultValue: 'block_only_high',
      },
    },
    output: uriSchema({ title: 'Output' }),
    example: { input: { prompt: 'a red kite', resolution: '2K', aspect_ratio: '4:3' }, output: imageUrl },
  },
  {
    name: 'ideogram-ai/ideogram-v3-turbo',
    description: 'The fastest and cheapest Ideogram v3.',
    isOfficial: true,
    required: ['prompt'],
    input: {
      prompt: { type: 'string' },
      aspect_ratio: {},
      magic_prompt_option: {},
      image: uriSchema({ nullable: true }),
      mask: uriSchema({ nullable: true }),
      style_type: { nullable: true },
      style_reference_images: { type: 'array', items: uriSchema(), nullable: true },
      seed: { type: 'integer', maximum: 2_147_483_647, nullable: true },
    },
    enums: {
      aspect_ratio: { values: ['1:3', '3:1', '1:2', '2:1', ...ratios, '10:16', '16:10'], defaultValue: '1:1' },
      magic_prompt_option: { values: ['Auto', 'On', 'Off'], defaultValue: 'Auto' },
      style_type: { values: ['None', 'Auto', 'General', 'Realistic', 'Design'], nullable: true },
    },
    output: uriSchema({ title: 'Output' }),
    example: {
      input: { prompt: 'a poster that says KITE', aspect_ratio: '3:2' },
      output: 'https://replicate.delivery/xezq/kite.png',
    },
  },
  {
    name: 'cjwbw/sadtalker',
    description: 'Stylized audio-driven single image talking face animation.',
    isOfficial: false,
    required: ['source_image', 'driven_audio'],
    input: {
      source_image: uriSchema({ description: 'Upload the source image' }),
      driven_audio: uriSchema({ description: 'Upload the driven audio, accepts .wav and .mp4 file' }),
      enhancer: {},
      preprocess: {},
      ref_eyeblink: uriSchema({ description: 'Path to reference video providing eye blinking' }),
      still_mode: { type: 'boolean', default: true },
    },
    enums: {
      enhancer: { values: ['gfpgan', 'RestoreFormer'], defaultValue: 'gfpgan' },
      preprocess: { values: ['crop', 'resize', 'full'], defaultValue: 'full' },
    },
    output: uriSchema({ title: 'Output' }),
    example: { input: { source_image: imageUrl, driven_audio: 'https://replicate.delivery/xezq/voice.wav' }, output: videoUrl },
  },
  {
    name: 'openai/gpt-image-1.5',
    description: 'An image model with strong text rendering.',
    isOfficial: true,
    openapi: '3.1.0',
    required: ['prompt'],
    input: {
      openai_api_key: {
        type: 'string',
        format: 'password',
        nullable: true,
        'x-cog-secret': true,
        description: 'Your OpenAI API key (optional)',
      },
      prompt: { type: 'string' },
      quality: {},
      background: {},
      output_format: {},
      moderation: {},
      aspect_ratio: {},
      input_images: { type: 'array', items: uriSchema(), nullable: true },
      number_of_images: integerSchema(1, 10, 1),
      output_compression: integerSchema(0, 100, 90),
    },
    enums: {
      quality: { values: ['low', 'medium', 'high', 'auto'], defaultValue: 'auto' },
      background: { values: ['auto', 'transparent', 'opaque'], defaultValue: 'auto' },
      output_format: { values: ['png', 'jpeg', 'webp'], defaultValue: 'webp' },
      moderation: { values: ['auto', 'low'], defaultValue: 'auto' },
      aspect_ratio: { values: ['1:1', '3:2', '2:3'], defaultValue: '1:1' },
    },
    output: uriListOutput,
    example: { input: { prompt: 'a red kite', quality: 'low' }, output: [imageUrl] },
  },
  {
    name: 'wan-video/wan-2.7-i2v',
    description: 'Image to video with first and last frames.',
    isOfficial: true,
    required: ['first_frame'],
    input: {
      prompt: { type: 'string', nullable: true },
      first_frame: uriSchema(),
      last_frame: uriSchema({ nullable: true }),
      audio: uriSchema({ nullable: true, description: 'Driving audio, wav or mp3, 2-30 s' }),
      negative_prompt: { type: 'string', nullable: true, maxLength: 500 },
      resolution: {},
      duration: integerSchema(2, 15, 5),
      enable_prompt_expansion: { type: 'boolean', default: true },
      seed: { type: 'integer', minimum: 0, maximum: 2_147_483_647, nullable: true },
    },
    enums: { resolution: { values: ['720p', '1080p'], defaultValue: '1080p' } },
    output: uriSchema({ title: 'Output' }),
    example: { input: { prompt: 'it takes off', first_frame: imageUrl }, output: videoUrl },
  },
]

/**
 * Returns the version id of a model: 64 hexadecimal digits, different for each model of the tests.
 */
export function versionOf(name: string): string {
  return Buffer.from(name.padEnd(32, '.')).toString('hex').slice(0, 64)
}

function replicateDocument({
  name,
  description,
  isOfficial,
  openapi = '3.0.2',
  required,
  input,
  enums = {},
  output,
  example,
}: Model): Schema {
  const [owner, shortName] = name.split('/')
  const properties = Object.entries(input).map(([field, schema], order): [string, Schema] => {
    const choice = enums[field]
    const title = field
      .split('_')
      .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
      .join(' ')
    if (choice === undefined) return [field, { ...schema, title, 'x-order': order }]
    return [
      field,
      {
        allOf: [{ $ref: `#/components/schemas/${field}` }],
        description: `An enumeration.`,
        ...(choice.defaultValue !== undefined && { default: choice.defaultValue }),
        ...(choice.nullable === true && { nullable: true }),
        'x-order': order,
      },
    ]
  })
  const components = Object.entries(enums).map(([field, { values }]) => [
    field,
    { type: typeof values[0] === 'number' ? 'integer' : 'string', title: field, enum: values, description: 'An enumeration.' },
  ])
  return {
    url: `https://replicate.com/${name}`,
    owner,
    name: shortName,
    description,
    visibility: 'public',
    is_official: isOfficial,
    github_url: null,
    paper_url: null,
    license_url: null,
    run_count: 4711,
    cover_image_url: `https://tjzk.replicate.delivery/models_models_cover_image/${shortName}.webp`,
    default_example: {
      id: '3s45fy3cxsrm80ckkwxr8jxbhm',
      model: name,
      status: 'succeeded',
      input: example.input,
      output: example.output,
      metrics: { predict_time: 30.1 },
    },
    latest_version: {
      id: versionOf(name),
      created_at: '2026-03-04T17:01:12.000000Z',
      cog_version: '0.16.8',
      openapi_schema: {
        openapi,
        info: { title: 'Cog', version: '0.1.0' },
        components: {
          schemas: {
            Input: { type: 'object', title: 'Input', required, properties: Object.fromEntries(properties) },
            Output: output,
            Status: { type: 'string', title: 'Status', enum: ['starting', 'processing', 'succeeded', 'canceled', 'failed'] },
            WebhookEvent: { type: 'string', title: 'WebhookEvent', enum: ['start', 'output', 'logs', 'completed'] },
            PredictionRequest: { type: 'object', properties: { input: { $ref: '#/components/schemas/Input' } } },
            ...Object.fromEntries(components),
          },
        },
      },
    },
  }
}

/** Documents by the name of their model, OWNER/NAME. */
export const replicateDocuments: ReadonlyMap<string, Schema> = new Map(
  replicateModels.map((model) => [model.name, replicateDocument(model)]),
)
