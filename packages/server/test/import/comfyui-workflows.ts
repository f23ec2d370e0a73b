/**
 * Workflows in API format, and the responses of `GET /object_info/{class}` for their node types.
 */
type Json = Record<string, unknown>

const nodeType = (required: Json, optional: Json = {}): Json => ({
  input: { required, ...optional },
  input_order: { required: Object.keys(required) },
  output: ['*'],
  output_node: false,
})
const seed = ['INT', { default: 0, min: 0, max: 2 ** 64 - 1, control_after_generate: true }]
const sideLength = ['INT', { default: 512, min: 16, max: 16_384, step: 8 }]
const samplers = [['euler', 'euler_ancestral', 'dpmpp_2m'], { tooltip: 'The algorithm used when sampling.' }]
const schedulers = ['COMBO', { options: ['simple', 'karras', 'beta'] }]

/** Node types by class. */
export const comfyuiNodeTypes: ReadonlyMap<string, Json> = new Map(
  Object.entries({
    KSampler: nodeType({
      model: ['MODEL', {}],
      seed,
      steps: ['INT', { default: 20, min: 1, max: 10_000 }],
      cfg: ['FLOAT', { default: 8, min: 0, max: 100, step: 0.1, round: 0.01 }],
      sampler_name: samplers,
      scheduler: schedulers,
      positive: ['CONDITIONING'],
      negative: ['CONDITIONING'],
      latent_image: ['LATENT'],
      denoise: ['FLOAT', { default: 1, min: 0, max: 1, step: 0.01 }],
    }),
    CheckpointLoaderSimple: nodeType({ ckpt_name: [['sd_xl_base_1.0.safetensors', 'flux1-dev.safetensors']] }),
    UNETLoader: nodeType({
      unet_name: [['wan2.2_t2v.safetensors', 'wan2.2_i2v.safetensors']],
      weight_dtype: [['default', 'fp8_e4m3fn']],
    }),
    CLIPLoader: nodeType({ clip_name: [['umt5_xxl_fp8_e4m3fn_scaled.safetensors']], type: [['stable_diffusion', 'wan']] }),
    CLIPTextEncode: nodeType({ text: ['STRING', { multiline: true, dynamicPrompts: true }], clip: ['CLIP'] }),
    FluxGuidance: nodeType({
      conditioning: ['CONDITIONING'],
      guidance: ['FLOAT', { default: 3.5, min: 0, max: 100, step: 0.1 }],
    }),
    EmptyLatentImage: nodeType({ width: sideLength, height: sideLength, batch_size: ['INT', { default: 1, min: 1, max: 4096 }] }),
    EmptyHunyuanLatentVideo: nodeType({
      width: sideLength,
      height: sideLength,
      length: ['INT', { default: 25, min: 1, max: 16_384, step: 4 }],
      batch_size: ['INT', {}],
    }),
    WanImageToVideo: nodeType(
      {
        positive: ['CONDITIONING'],
        negative: ['CONDITIONING'],
        vae: ['VAE'],
        width: sideLength,
        height: sideLength,
        length: ['INT', { default: 81, min: 1, max: 16_384, step: 4 }],
      },
      { optional: { start_image: ['IMAGE'] } },
    ),
    WanFirstLastFrameToVideo: nodeType(
      {
        positive: ['CONDITIONING'],
        negative: ['CONDITIONING'],
        vae: ['VAE'],
        width: sideLength,
        height: sideLength,
        length: ['INT', { default: 81, min: 1, max: 16_384, step: 4 }],
      },
      { optional: { start_image: ['IMAGE'], end_image: ['IMAGE'] } },
    ),
    VAELoader: nodeType({ vae_name: [['wan_2.1_vae.safetensors']] }),
    VAEDecode: nodeType({ samples: ['LATENT'], vae: ['VAE'] }),
    LoadImage: nodeType({ image: [['example.png'], { image_upload: true }] }),
    ImageScaleBy: nodeType({
      image: ['IMAGE'],
      upscale_method: [['nearest-exact', 'lanczos']],
      scale_by: ['FLOAT', { default: 1, min: 0.01, max: 8, step: 0.01 }],
    }),
    CreateVideo: nodeType({ images: ['IMAGE'], fps: ['FLOAT', { default: 30, min: 1, max: 120, step: 1 }] }),
    SaveVideo: nodeType({
      video: ['VIDEO'],
      filename_prefix: ['STRING', { default: 'video/ComfyUI' }],
      format: ['COMBO', { options: ['auto', 'mp4'] }],
    }),
    VHS_VideoCombine: nodeType({ images: ['IMAGE'], frame_rate: ['FLOAT', { default: 8, min: 1 }], loop_count: ['INT', {}] }),
    SaveImage: nodeType({ images: ['IMAGE'], filename_prefix: ['STRING', { default: 'ComfyUI' }] }),
    ComfyUIDeployExternalText: nodeType(
      { input_id: ['STRING', {}] },
      { optional: { default_value: ['STRING', { multiline: true }], display_name: ['STRING', {}] } },
    ),
    ComfyUIDeployExternalNumberSlider: nodeType(
      { input_id: ['STRING', {}] },
      { optional: { default_value: ['FLOAT', { default: 1, min: 0, max: 10 }], display_name: ['STRING', {}] } },
    ),
    ComfyUIDeployExternalImage: nodeType({ input_id: ['STRING', {}] }, { optional: { default_value: ['IMAGE'] } }),
  }),
)

const nodeOf = (class_type: string, inputs: Json, title?: string): Json => ({
  class_type,
  inputs,
  ...(title !== undefined && { _meta: { title } }),
})
const samplerNode = (extraInputs: Json = {}): Json =>
  nodeOf('KSampler', {
    model: ['4', 0],
    seed: 42,
    steps: 25,
    cfg: 7.5,
    sampler_name: 'euler',
    scheduler: 'karras',
    positive: ['6', 0],
    negative: ['7', 0],
    latent_image: ['5', 0],
    denoise: 1,
    ...extraInputs,
  })
const promptNodes = {
  '6': nodeOf('CLIPTextEncode', { text: 'a kite', clip: ['4', 1] }),
  '7': nodeOf('CLIPTextEncode', { text: 'blurry', clip: ['4', 1] }),
}
const decoderNodes = {
  '8': nodeOf('VAEDecode', { samples: ['3', 0], vae: ['10', 0] }),
  '10': nodeOf('VAELoader', { vae_name: 'wan_2.1_vae.safetensors' }),
}
const saveImageNode = { '9': nodeOf('SaveImage', { filename_prefix: 'kite', images: ['8', 0] }) }
const saveVideoNodes = {
  '11': nodeOf('CreateVideo', { images: ['8', 0], fps: 16 }),
  '9': nodeOf('SaveVideo', { filename_prefix: 'kite', format: 'auto', video: ['11', 0] }),
}
const wanModelNode = { '4': nodeOf('UNETLoader', { unet_name: 'wan2.2_t2v.safetensors', weight_dtype: 'default' }) }

export const comfyuiWorkflows = {
  'sdxl-text-to-image': {
    '3': samplerNode(),
    '4': nodeOf('CheckpointLoaderSimple', { ckpt_name: 'sd_xl_base_1.0.safetensors' }),
    '5': nodeOf('EmptyLatentImage', { width: 1024, height: 1024, batch_size: 1 }),
    ...promptNodes,
    ...decoderNodes,
    ...saveImageNode,
  },
  // The prompt reaches the sampler through another node.
  'flux-dev': {
    '3': samplerNode({ positive: ['12', 0], cfg: 1 }),
    '4': nodeOf('CheckpointLoaderSimple', { ckpt_name: 'flux1-dev.safetensors' }, 'input:checkpoint'),
    '5': nodeOf('EmptyLatentImage', { width: 1024, height: 1024, batch_size: 1 }),
    '12': nodeOf('FluxGuidance', { conditioning: ['6', 0], guidance: 3.5 }),
    ...promptNodes,
    ...decoderNodes,
    ...saveImageNode,
  },
  'wan-text-to-video': {
    '3': samplerNode(),
    ...wanModelNode,
    '5': nodeOf('EmptyHunyuanLatentVideo', { width: 832, height: 480, length: 81, batch_size: 1 }),
    ...promptNodes,
    ...decoderNodes,
    ...saveVideoNodes,
  },
  // The positive and the negative prompt pass through the node that takes the image.
  'wan-image-to-video': {
    '3': samplerNode({ positive: ['20', 0], negative: ['20', 1], latent_image: ['20', 2] }),
    ...wanModelNode,
    '20': nodeOf('WanImageToVideo', {
      positive: ['6', 0],
      negative: ['7', 0],
      vae: ['10', 0],
      width: 1280,
      height: 720,
      length: 81,
      start_image: ['21', 0],
    }),
    '21': nodeOf('LoadImage', { image: 'example.png' }),
    ...promptNodes,
    ...decoderNodes,
    ...saveVideoNodes,
  },
  'wan-first-last-frame': {
    '3': samplerNode({ positive: ['20', 0], negative: ['20', 1], latent_image: ['20', 2] }),
    ...wanModelNode,
    '20': nodeOf('WanFirstLastFrameToVideo', {
      positive: ['6', 0],
      negative: ['7', 0],
      vae: ['10', 0],
      width: 832,
      height: 480,
      length: 49,
      start_image: ['21', 0],
      end_image: ['22', 0],
    }),
    '21': nodeOf('LoadImage', { image: 'example.png' }),
    '22': nodeOf('LoadImage', { image: 'example.png' }),
    ...promptNodes,
    ...decoderNodes,
    '9': nodeOf('VHS_VideoCombine', { images: ['8', 0], frame_rate: 24, loop_count: 0 }),
  },
  'deploy-markers': {
    '3': samplerNode({ positive: ['6', 0] }),
    '4': nodeOf('CheckpointLoaderSimple', { ckpt_name: 'sd_xl_base_1.0.safetensors' }),
    '5': nodeOf('EmptyLatentImage', { width: 1024, height: 1024, batch_size: 1 }),
    '30': nodeOf('ComfyUIDeployExternalText', { input_id: 'prompt', default_value: 'a kite', display_name: 'What to draw' }),
    '31': nodeOf('ComfyUIDeployExternalNumberSlider', { input_id: 'detail', default_value: 2, display_name: 'Detail' }),
    '32': nodeOf('ComfyUIDeployExternalImage', { input_id: 'face', default_value: ['21', 0] }),
    '6': nodeOf('CLIPTextEncode', { text: ['30', 0], clip: ['4', 1] }),
    '7': nodeOf('CLIPTextEncode', { text: 'blurry', clip: ['4', 1] }),
    ...decoderNodes,
    ...saveImageNode,
  },
  'edit-image': {
    '3': samplerNode({ latent_image: ['5', 0] }),
    '4': nodeOf('CheckpointLoaderSimple', { ckpt_name: 'sd_xl_base_1.0.safetensors' }),
    '5': nodeOf('ImageScaleBy', { image: ['21', 0], upscale_method: 'lanczos', scale_by: 2 }, 'input:zoom.scale_by'),
    '21': nodeOf('LoadImage', { image: 'example.png' }),
    ...promptNodes,
    ...decoderNodes,
    ...saveImageNode,
  },
} satisfies Record<string, Json>

/** The editor file of `sdxl-text-to-image`, whose App Mode lists two inputs. */
export const appModeFile = {
  nodes: [],
  links: [],
  version: 0.4,
  extra: {
    linearMode: true,
    linearData: {
      inputs: [
        ['3', 'sampler_name'],
        [3, 'steps'],
        [99, 'gone'],
      ],
      outputs: [9],
    },
  },
}
