/**
 * OpenAPI documents of fal endpoints, structured as fal serves them: references from paths to
 * components, JSON Schema 2020-12 syntax in a document labeled 3.0.4, and the field order in
 * `x-fal-order-properties`.
 */
type Schema = Record<string, unknown>

interface Endpoint {
  id: string
  category: string
  /** Fields in display order. */
  input: Record<string, Schema>
  required: string[]
  output: 'video' | 'images' | 'image' | 'audio'
  /** Components that the input refers to. */
  components?: Record<string, Schema>
}

const textSchema = (title: string, extra: Schema = {}): Schema => ({ title, type: 'string', ...extra })
const choiceSchema = (title: string, values: unknown[], defaultValue: unknown, extra: Schema = {}): Schema => ({
  title,
  type: typeof values[0] === 'number' ? 'integer' : 'string',
  enum: values,
  default: defaultValue,
  ...extra,
})
const flagSchema = (title: string, defaultValue: boolean, extra: Schema = {}): Schema => ({
  title,
  type: 'boolean',
  default: defaultValue,
  ...extra,
})
const orNull = (schema: Schema, extra: Schema = {}): Schema => ({ anyOf: [schema, { type: 'null' }], ...extra })
const seed = orNull({ type: 'integer' }, { title: 'Seed', description: 'The same seed gives the same result.' })
const safety = flagSchema('Enable Safety Checker', true, { description: 'If set to true, the safety checker will be enabled.' })
const prompt = textSchema('Prompt', { description: 'What to make.', examples: ['A kite over dunes at dawn'], maxLength: 2500 })
const imageField = (title: string): Schema =>
  textSchema(title, { description: 'URL of the image.', examples: ['https://v3.fal.media/files/kite.png'] })
const numberTexts = (from: number, to: number, suffix = ''): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}${suffix}`)

const imageSize: Schema = {
  title: 'ImageSize',
  type: 'object',
  properties: {
    width: { title: 'Width', type: 'integer', maximum: 14142, exclusiveMinimum: 0, default: 512 },
    height: { title: 'Height', type: 'integer', maximum: 14142, exclusiveMinimum: 0, default: 512 },
  },
  'x-fal-order-properties': ['width', 'height'],
}
const sizes = ['square_hd', 'square', 'portrait_4_3', 'portrait_16_9', 'landscape_4_3', 'landscape_16_9']
const imageSizeField: Schema = {
  anyOf: [{ $ref: '#/components/schemas/ImageSize' }, { type: 'string', enum: sizes }],
  title: 'Image Size',
  description: 'The size of the generated image.',
  default: 'landscape_4_3',
}

export const falEndpoints: readonly Endpoint[] = [
  {
    id: 'fal-ai/kling-video/v3/pro/text-to-video',
    category: 'text-to-video',
    required: [],
    output: 'video',
    input: {
      prompt: orNull({ type: 'string', maxLength: 2500 }, { title: 'Prompt', examples: ['A kite over dunes at dawn'] }),
      multi_prompt: orNull(
        { type: 'array', items: { $ref: '#/components/schemas/KlingV3MultiPromptElement' } },
        { title: 'Multi Prompt' },
      ),
      duration: choiceSchema('Duration', numberTexts(3, 15), '5'),
      generate_audio: flagSchema('Generate Audio', true),
      shot_type: choiceSchema('Shot Type', ['customize', 'intelligent'], 'customize'),
      aspect_ratio: choiceSchema('Aspect Ratio', ['16:9', '9:16', '1:1'], '16:9'),
      negative_prompt: textSchema('Negative Prompt', { default: 'blur, distort, and low quality', maxLength: 2500 }),
      cfg_scale: { title: 'Cfg Scale', type: 'number', minimum: 0, maximum: 1, default: 0.5 },
    },
    components: {
      KlingV3MultiPromptElement: {
        title: 'KlingV3MultiPromptElement',
        type: 'object',
        properties: { prompt: textSchema('Prompt'), duration: choiceSchema('Duration', numberTexts(1, 15), '5') },
        required: ['prompt'],
        'x-fal-order-properties': ['prompt', 'duration'],
      },
    },
  },
  {
    id: 'fal-ai/kling-video/v3/pro/image-to-video',
    category: 'image-to-video',
    required: ['start_image_url'],
    output: 'video',
    input: {
      prompt,
      start_image_url: imageField('Start Image Url'),
      end_image_url: orNull({ type: 'string' }, { title: 'End Image Url' }),
      duration: choiceSchema('Duration', numberTexts(3, 15), '5'),
      generate_audio: flagSchema('Generate Audio', true),
      negative_prompt: textSchema('Negative Prompt', { default: 'blur, distort, and low quality' }),
      cfg_scale: { title: 'Cfg Scale', type: 'number', minimum: 0, maximum: 1, default: 0.5 },
    },
  },
  {
    id: 'fal-ai/kling-video/v3/pro/reference-to-video',
    category: 'image-to-video',
    required: ['prompt', 'image_urls'],
    output: 'video',
    input: {
      prompt,
      image_urls: {
        title: 'Image Urls',
        type: 'array',
        items: { type: 'string' },
        maxItems: 4,
        examples: [['https://v3.fal.media/files/kite.png']],
      },
      elements: orNull({ type: 'array', items: { $ref: '#/components/schemas/KlingElement' } }, { title: 'Elements' }),
      duration: choiceSchema('Duration', ['5', '10'], '5'),
      generate_audio: flagSchema('Generate Audio', true),
      aspect_ratio: choiceSchema('Aspect Ratio', ['16:9', '9:16', '1:1'], '16:9'),
    },
    components: {
      KlingElement: {
        title: 'KlingElement',
        type: 'object',
        properties: {
          frontal_image_url: orNull({ type: 'string' }, { title: 'Frontal Image Url' }),
          reference_image_urls: orNull({ type: 'array', items: { type: 'string' } }, { title: 'Reference Image Urls' }),
          video_url: orNull({ type: 'string' }, { title: 'Video Url' }),
        },
        'x-fal-order-properties': ['frontal_image_url', 'reference_image_urls', 'video_url'],
      },
    },
  },
  {
    id: 'fal-ai/bytedance/seedance/v1.5/pro/image-to-video',
    category: 'image-to-video',
    required: ['prompt', 'image_url'],
    output: 'video',
    input: {
      prompt,
      image_url: imageField('Image Url'),
      aspect_ratio: choiceSchema('Aspect Ratio', ['21:9', '16:9', '4:3', '1:1', '3:4', '9:16', 'auto'], '16:9'),
      resolution: choiceSchema('Resolution', ['480p', '720p', '1080p'], '720p'),
      duration: choiceSchema('Duration', numberTexts(4, 12), '5'),
      camera_fixed: flagSchema('Camera Fixed', false),
      seed: orNull({ type: 'integer' }, { title: 'Seed', description: 'Use -1 for random.' }),
      enable_safety_checker: safety,
      generate_audio: flagSchema('Generate Audio', true),
      end_image_url: orNull({ type: 'string' }, { title: 'End Image Url' }),
    },
  },
  {
    id: 'fal-ai/bytedance/seedance/v1.5/pro/text-to-video',
    category: 'text-to-video',
    required: ['prompt'],
    output: 'video',
    input: {
      prompt,
      aspect_ratio: choiceSchema('Aspect Ratio', ['21:9', '16:9', '4:3', '1:1', '3:4', '9:16'], '16:9'),
      resolution: choiceSchema('Resolution', ['480p', '720p', '1080p'], '720p'),
      duration: choiceSchema('Duration', numberTexts(4, 12), '5'),
      camera_fixed: flagSchema('Camera Fixed', false),
      seed,
      enable_safety_checker: safety,
      generate_audio: flagSchema('Generate Audio', true),
    },
  },
  {
    id: 'fal-ai/nano-banana-2/edit',
    category: 'image-to-image',
    required: ['prompt', 'image_urls'],
    output: 'images',
    input: {
      prompt: textSchema('Prompt', { minLength: 3, maxLength: 50_000, examples: ['Make the kite red'] }),
      num_images: { title: 'Number of Images', type: 'integer', minimum: 1, maximum: 4, default: 1 },
      seed,
      aspect_ratio: {
        anyOf: [
          {
            enum: ['auto', '21:9', '16:9', '3:2', '4:3', '5:4', '1:1', '4:5', '3:4', '2:3', '9:16', '4:1', '1:4', '8:1', '1:8'],
            type: 'string',
          },
          { type: 'null' },
        ],
        title: 'Aspect Ratio',
        default: 'auto',
      },
      output_format: choiceSchema('Output Format', ['jpeg', 'png', 'webp'], 'png'),
      safety_tolerance: choiceSchema('Safety Tolerance', ['1', '2', '3', '4', '5', '6'], '4'),
      sync_mode: flagSchema('Sync Mode', false),
      image_urls: {
        title: 'Image URLs',
        type: 'array',
        items: { type: 'string' },
        examples: [['https://v3.fal.media/files/kite.png']],
      },
      resolution: choiceSchema('Resolution', ['0.5K', '1K', '2K', '4K'], '1K'),
      limit_generations: flagSchema('Limit Generations', true),
      enable_web_search: flagSchema('Enable Web Search', false),
      thinking_level: orNull({ type: 'string', enum: ['minimal', 'high'] }, { title: 'Thinking Level' }),
    },
  },
  {
    id: 'fal-ai/nano-banana-2',
    category: 'text-to-image',
    required: ['prompt'],
    output: 'images',
    input: {
      prompt: textSchema('Prompt', { minLength: 3, maxLength: 50_000 }),
      num_images: { title: 'Number of Images', type: 'integer', minimum: 1, maximum: 4, default: 1 },
      seed,
      aspect_ratio: choiceSchema(
        'Aspect Ratio',
        ['auto', '21:9', '16:9', '3:2', '4:3', '5:4', '1:1', '4:5', '3:4', '2:3', '9:16'],
        'auto',
      ),
      output_format: choiceSchema('Output Format', ['jpeg', 'png', 'webp'], 'png'),
      sync_mode: flagSchema('Sync Mode', false),
      resolution: choiceSchema('Resolution', ['1K', '2K', '4K'], '1K'),
    },
  },
  {
    id: 'fal-ai/wan/v2.7/edit-video',
    category: 'video-to-video',
    required: ['prompt', 'video_url'],
    output: 'video',
    input: {
      prompt,
      video_url: textSchema('Video Url', {
        description: 'mp4 or mov, 2-10 s. Max file size: 100.0MB, Timeout: 30.0s',
        examples: ['https://v3.fal.media/files/kite.mp4'],
      }),
      reference_image_url: orNull({ type: 'string' }, { title: 'Reference Image Url' }),
      duration: choiceSchema('Duration', ['0', ...numberTexts(2, 10)], '0'),
      aspect_ratio: orNull({ type: 'string', enum: ['16:9', '9:16', '1:1', '4:3', '3:4'] }, { title: 'Aspect Ratio' }),
      resolution: choiceSchema('Resolution', ['720p', '1080p'], '1080p'),
      audio_setting: choiceSchema('Audio Setting', ['auto', 'origin'], 'auto'),
      seed: orNull({ type: 'integer', minimum: 0, maximum: 2_147_483_647 }, { title: 'Seed' }),
      enable_safety_checker: safety,
    },
  },
  {
    id: 'fal-ai/flux-2-pro',
    category: 'text-to-image',
    required: ['prompt'],
    output: 'images',
    components: { ImageSize: imageSize },
    input: {
      prompt,
      image_size: imageSizeField,
      seed,
      safety_tolerance: choiceSchema('Safety Tolerance', ['1', '2', '3', '4', '5'], '2'),
      enable_safety_checker: safety,
      output_format: choiceSchema('Output Format', ['jpeg', 'png'], 'jpeg'),
      sync_mode: flagSchema('Sync Mode', false),
    },
  },
  {
    id: 'fal-ai/flux-lora',
    category: 'text-to-image',
    required: ['prompt'],
    output: 'images',
    components: {
      ImageSize: imageSize,
      LoraWeight: {
        title: 'LoraWeight',
        type: 'object',
        properties: { path: textSchema('Path'), scale: { title: 'Scale', type: 'number', minimum: 0, maximum: 4, default: 1 } },
        required: ['path'],
        'x-fal-order-properties': ['path', 'scale'],
      },
    },
    input: {
      prompt,
      image_size: { ...imageSizeField, default: { width: 1024, height: 768 } },
      num_inference_steps: { title: 'Num Inference Steps', type: 'integer', minimum: 1, maximum: 50, default: 28 },
      seed,
      loras: { title: 'Loras', type: 'array', items: { $ref: '#/components/schemas/LoraWeight' }, default: [] },
      guidance_scale: { title: 'Guidance scale (CFG)', type: 'number', minimum: 0, maximum: 35, default: 3.5 },
      sync_mode: flagSchema('Sync Mode', false),
      num_images: { title: 'Num Images', type: 'integer', minimum: 1, maximum: 4, default: 1 },
      enable_safety_checker: safety,
      output_format: choiceSchema('Output Format', ['jpeg', 'png'], 'jpeg'),
      acceleration: choiceSchema('Acceleration', ['none', 'regular'], 'none'),
    },
  },
  {
    id: 'fal-ai/veo3.1/image-to-video',
    category: 'image-to-video',
    required: ['prompt', 'image_url'],
    output: 'video',
    input: {
      prompt: textSchema('Prompt', { maxLength: 20_000, examples: ['A kite over dunes at dawn'] }),
      aspect_ratio: choiceSchema('Aspect Ratio', ['auto', '16:9', '9:16'], 'auto'),
      duration: choiceSchema('Duration', ['4s', '6s', '8s'], '8s'),
      negative_prompt: orNull({ type: 'string' }, { title: 'Negative Prompt' }),
      resolution: choiceSchema('Resolution', ['720p', '1080p', '4k'], '720p'),
      generate_audio: flagSchema('Generate Audio', true),
      seed,
      auto_fix: flagSchema('Auto Fix', false),
      safety_tolerance: choiceSchema('Safety Tolerance', numberTexts(1, 6), '4'),
      image_url: imageField('Image URL'),
    },
  },
  {
    id: 'fal-ai/vidu/q3/image-to-video',
    category: 'image-to-video',
    required: ['prompt', 'image_url'],
    output: 'video',
    input: {
      prompt: textSchema('Prompt', { maxLength: 2000 }),
      image_url: imageField('Image Url'),
      end_image_url: orNull({ type: 'string' }, { title: 'End Image Url' }),
      duration: { title: 'Duration', type: 'integer', minimum: 1, maximum: 16, default: 5 },
      seed,
      resolution: choiceSchema('Resolution', ['360p', '540p', '720p', '1080p'], '720p'),
      audio: flagSchema('Audio', true),
    },
  },
  {
    id: 'fal-ai/ltx-2/text-to-video',
    category: 'text-to-video',
    required: ['prompt'],
    output: 'video',
    input: {
      prompt,
      duration: choiceSchema('Duration', [6, 8, 10], 6),
      resolution: choiceSchema('Resolution', ['1080p', '1440p', '2160p'], '1080p'),
      aspect_ratio: choiceSchema('Aspect Ratio', ['16:9'], '16:9'),
      fps: choiceSchema('Frames per Second', [25, 50], 25),
      generate_audio: flagSchema('Generate Audio', true),
    },
  },
  {
    id: 'fal-ai/recraft/v3/text-to-image',
    category: 'text-to-image',
    required: ['prompt'],
    output: 'images',
    components: {
      ImageSize: imageSize,
      RGBColor: {
        title: 'RGBColor',
        type: 'object',
        properties: { r: { type: 'integer', minimum: 0, maximum: 255, default: 0, title: 'R' } },
        'x-fal-order-properties': ['r'],
      },
    },
    input: {
      prompt: textSchema('Prompt', { minLength: 1, maxLength: 1000 }),
      image_size: { ...imageSizeField, default: 'square_hd' },
      style: choiceSchema('Style', ['any', 'realistic_image', 'digital_illustration', 'vector_illustration'], 'realistic_image'),
      colors: { title: 'Colors', type: 'array', items: { $ref: '#/components/schemas/RGBColor' }, default: [] },
      style_id: orNull({ type: 'string', format: 'uuid4' }, { title: 'Style Id' }),
    },
  },
  {
    id: 'fal-ai/sync-lipsync/v2',
    category: 'video-to-video',
    required: ['video_url', 'audio_url'],
    output: 'video',
    input: {
      model: choiceSchema('Model', ['lipsync-2', 'lipsync-2-pro'], 'lipsync-2'),
      video_url: textSchema('Video Url', { examples: ['https://v3.fal.media/files/face.mp4'] }),
      audio_url: textSchema('Audio Url', { examples: ['https://v3.fal.media/files/voice.wav'] }),
      sync_mode: choiceSchema('Sync Mode', ['cut_off', 'loop', 'bounce', 'silence', 'remap'], 'cut_off'),
    },
  },
]

export function falDocument({ id, category, input, required, output, components = {} }: Endpoint): Schema {
  const name = id
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
  const file: Schema = {
    title: 'File',
    type: 'object',
    properties: {
      url: textSchema('Url', { description: 'The URL where the file can be downloaded from.' }),
      content_type: orNull({ type: 'string' }, { title: 'Content Type', examples: ['image/png'] }),
      file_name: orNull({ type: 'string' }, { title: 'File Name' }),
      file_size: orNull({ type: 'integer' }, { title: 'File Size' }),
    },
    required: ['url'],
    'x-fal-order-properties': ['url', 'content_type', 'file_name', 'file_size'],
  }
  const created =
    output === 'images'
      ? { type: 'array', items: { $ref: '#/components/schemas/File' }, title: 'Images' }
      : { $ref: '#/components/schemas/File', title: output }
  const status = { $ref: '#/components/schemas/QueueStatus' }
  const jsonContent = (schema: Schema): Schema => ({ content: { 'application/json': { schema } } })
  return {
    openapi: '3.0.4',
    info: {
      title: `Queue OpenAPI for ${id}`,
      version: '1.0.0',
      description: `The OpenAPI schema for the ${id} queue.`,
      'x-fal-metadata': {
        endpointId: id,
        category,
        thumbnailUrl: `https://v3.fal.media/files/thumbnails/${name}.jpg`,
        playgroundUrl: `https://fal.ai/models/${id}`,
        documentationUrl: `https://fal.ai/models/${id}/api`,
      },
    },
    components: {
      securitySchemes: { apiKeyAuth: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'Fal Key' } },
      schemas: {
        QueueStatus: {
          type: 'object',
          properties: {
            status: { type: 'string', enum: ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED'] },
            request_id: { type: 'string' },
          },
          required: ['status', 'request_id'],
        },
        ...components,
        File: file,
        [`${name}Input`]: {
          title: `${name}Input`,
          type: 'object',
          properties: input,
          required,
          'x-fal-order-properties': Object.keys(input),
        },
        [`${name}Output`]: {
          title: `${name}Output`,
          type: 'object',
          properties: { [output]: created, seed: { title: 'Seed', type: 'integer' } },
          required: [output],
          'x-fal-order-properties': [output, 'seed'],
        },
      },
    },
    paths: {
      [`/${id}/requests/{request_id}/status`]: {
        get: { responses: { '200': { description: 'The request status.', ...jsonContent(status) } } },
      },
      [`/${id}/requests/{request_id}/cancel`]: {
        put: {
          responses: {
            '200': {
              description: 'The request was cancelled.',
              ...jsonContent({ type: 'object', properties: { success: { type: 'boolean' } } }),
            },
          },
        },
      },
      [`/${id}`]: {
        post: {
          requestBody: { required: true, ...jsonContent({ $ref: `#/components/schemas/${name}Input` }) },
          responses: { '200': { description: 'The request status.', ...jsonContent(status) } },
        },
      },
      [`/${id}/requests/{request_id}`]: {
        get: {
          responses: {
            '200': { description: 'Result of the request.', ...jsonContent({ $ref: `#/components/schemas/${name}Output` }) },
          },
        },
      },
    },
    servers: [{ url: 'https://queue.fal.run' }],
    security: [{ apiKeyAuth: [] }],
  }
}

/** Documents by the id of their endpoint. */
export const falDocuments: ReadonlyMap<string, Schema> = new Map(
  falEndpoints.map((endpoint) => [endpoint.id, falDocument(endpoint)]),
)
