import { describe, expect, it } from 'vitest'
import { arkDriver } from '../../src/drivers/ark/ark-driver.ts'
import { comfyuiDriver } from '../../src/drivers/comfyui/comfyui-driver.ts'
import { dashscopeDriver } from '../../src/drivers/dashscope/dashscope-driver.ts'
import type { GenerationRequest, Json } from '../../src/drivers/driver.ts'
import { falDriver } from '../../src/drivers/fal/fal-driver.ts'
import { klingDriver } from '../../src/drivers/kling/kling-driver.ts'
import { minimaxDriver } from '../../src/drivers/minimax/minimax-driver.ts'
import { openaiDriver } from '../../src/drivers/openai/openai-driver.ts'
import { replicateDriver } from '../../src/drivers/replicate/replicate-driver.ts'
import type { ConnectedTarget, UpstreamDriver } from '../../src/drivers/upstream/upstream-driver.ts'
import { veoDriver } from '../../src/drivers/veo/veo-driver.ts'
import { viduDriver } from '../../src/drivers/vidu/vidu-driver.ts'
import { xaiDriver } from '../../src/drivers/xai/xai-driver.ts'
import type { MediaFacts } from '../../src/lib/media-type.ts'
import { mediaSample } from '../media-samples.ts'
import { startContext } from '../start-context.ts'
import { arkKey, arkProtocol } from './ark.protocol.ts'
import { comfyuiCredential, createComfyuiProtocol } from './comfyui.protocol.ts'
import { dashscopeKey, dashscopeProtocol } from './dashscope.protocol.ts'
import { requestOf, openUpstream } from './driver-spec.ts'
import { falKey, falProtocol } from './fal.protocol.ts'
import { klingKey, klingProtocol } from './kling.protocol.ts'
import { minimaxKey, minimaxProtocol } from './minimax.protocol.ts'
import { openaiKey, openaiProtocol } from './openai.protocol.ts'
import { replicateKey, replicateProtocol } from './replicate.protocol.ts'
import type { Protocol } from './simulator.ts'
import { vertexPath, vertexProtocol, vertexToken } from './veo.protocol.ts'
import { viduKey, viduProtocol } from './vidu.protocol.ts'
import { xaiKey, xaiProtocol } from './xai.protocol.ts'

const clip = 'https://example.com/clip.mp4'
const secondClip = 'https://example.com/second.mov'
const song = 'https://example.com/song.mp3'
const imageUrl = 'https://example.com/picture.png'
const video = `data:video/mp4;base64,${mediaSample('mp4').toString('base64')}`
const sound = `data:audio/mpeg;base64,${mediaSample('mp3').toString('base64')}`
const prompt = 'Video 1 in the place of Image 1, not Video 9'

interface Upstream {
  driver: UpstreamDriver
  protocol: Protocol
  basePath?: string
  credential: string
}
const ark: Upstream = { driver: arkDriver, protocol: arkProtocol, basePath: '/api/v3', credential: arkKey }
const dashscope: Upstream = {
  driver: dashscopeDriver,
  protocol: dashscopeProtocol,
  basePath: '/api/v1',
  credential: dashscopeKey,
}
const fal: Upstream = { driver: falDriver, protocol: falProtocol, credential: falKey }
const kling: Upstream = { driver: klingDriver, protocol: klingProtocol, credential: klingKey }
const minimax: Upstream = { driver: minimaxDriver, protocol: minimaxProtocol, credential: minimaxKey }
const replicate: Upstream = { driver: replicateDriver, protocol: replicateProtocol, basePath: '/v1', credential: replicateKey }
const vertex: Upstream = { driver: veoDriver, protocol: vertexProtocol, basePath: vertexPath, credential: vertexToken }
const vidu: Upstream = { driver: viduDriver, protocol: viduProtocol, credential: viduKey }
const xai: Upstream = { driver: xaiDriver, protocol: xaiProtocol, basePath: '/v1', credential: xaiKey }
const openai: Upstream = { driver: openaiDriver, protocol: openaiProtocol, basePath: '/v1', credential: openaiKey }

type RequestParameters = GenerationRequest['parameters']
const withAllReferences: RequestParameters = {
  prompt,
  reference_images: [imageUrl],
  reference_videos: [clip, secondClip],
  reference_audios: [song],
}
const withImageAndVideo: RequestParameters = { prompt, reference_images: [imageUrl], reference_videos: [clip] }

interface SubmitCase {
  title: string
  upstream: Upstream
  model: string
  parameters: RequestParameters
  path?: string
  /** Expected part of the submit. */
  sends: object
  lacks?: string[]
}

const submitCases: SubmitCase[] = [
  {
    title: 'Ark: contents with roles',
    upstream: ark,
    model: 'dreamina-seedance-2-5-260628',
    parameters: withAllReferences,
    sends: {
      content: [
        { type: 'text', text: prompt },
        { type: 'image_url', image_url: { url: imageUrl }, role: 'reference_image' },
        { type: 'video_url', video_url: { url: clip }, role: 'reference_video' },
        { type: 'video_url', video_url: { url: secondClip }, role: 'reference_video' },
        { type: 'audio_url', audio_url: { url: song }, role: 'reference_audio' },
      ],
    },
  },
  {
    title: 'Ark: sound as a data URI',
    upstream: ark,
    model: 'dreamina-seedance-2-5-260628',
    parameters: { prompt, reference_audios: [sound] },
    sends: { content: [{}, { type: 'audio_url', audio_url: { url: sound } }] },
  },
  {
    title: 'MiniMax: contents with roles',
    upstream: minimax,
    model: 'MiniMax-H3',
    parameters: { ...withAllReferences, resolution: '768p' },
    sends: { content: [{}, {}, { video_url: { url: clip }, role: 'reference_video' }, {}, { role: 'reference_audio' }] },
  },
  {
    title: 'DashScope, Wan 2.6: one list of URLs',
    upstream: dashscope,
    model: 'wan2.6-r2v',
    parameters: withImageAndVideo,
    sends: { input: { reference_urls: [imageUrl, clip] } },
  },
  {
    title: 'DashScope, Wan 2.7: media with types',
    upstream: dashscope,
    model: 'wan2.7-r2v',
    parameters: withImageAndVideo,
    sends: {
      input: {
        media: [
          { type: 'reference_image', url: imageUrl },
          { type: 'reference_video', url: clip },
        ],
      },
    },
  },
  {
    title: 'DashScope, Wan 3.0: media with sound',
    upstream: dashscope,
    model: 'wan3.0-video',
    parameters: withAllReferences,
    sends: { input: { media: [{}, {}, {}, { type: 'reference_audio', url: song }] } },
  },
  {
    title: 'fal, Seedance 2.0: three lists, and its names in the prompt',
    upstream: fal,
    model: 'bytedance/seedance-2.0/reference-to-video',
    parameters: withAllReferences,
    sends: {
      prompt: '@Video1 in the place of @Image1, not Video 9',
      image_urls: [imageUrl],
      video_urls: [clip, secondClip],
      audio_urls: [song],
    },
  },
  {
    title: 'fal, Kling O3: a video to edit',
    upstream: fal,
    model: 'fal-ai/kling-video/o3/pro/video-to-video/edit',
    parameters: { prompt, input_video: clip, reference_images: [imageUrl], keep_audio: true, task: 'edit' },
    sends: { video_url: clip, image_urls: [imageUrl], keep_audio: true },
    lacks: ['duration', 'aspect_ratio', 'task', 'resolution'],
  },
  {
    title: 'fal, Kling O1: a video as a reference',
    upstream: fal,
    model: 'fal-ai/kling-video/o1/video-to-video/reference',
    parameters: withImageAndVideo,
    sends: { video_url: clip, image_urls: [imageUrl] },
  },
  {
    title: 'Kling, first generation: a reference video',
    upstream: kling,
    model: 'kling-v3-omni',
    parameters: { ...withImageAndVideo, keep_audio: false },
    path: '/v1/videos/omni-video',
    sends: {
      prompt: '<<<video_1>>> in the place of <<<image_1>>>, not Video 9',
      video_list: [{ video_url: clip, refer_type: 'feature', keep_original_sound: 'no' }],
      image_list: [{ image_url: imageUrl }],
      duration: '5',
      sound: 'off',
    },
  },
  {
    title: 'Kling, first generation: a video to edit',
    upstream: kling,
    model: 'kling-video-o1',
    parameters: { prompt, input_video: clip, keep_audio: true },
    sends: { video_list: [{ video_url: clip, refer_type: 'base', keep_original_sound: 'yes' }] },
    lacks: ['duration', 'aspect_ratio'],
  },
  {
    title: 'Kling, second generation: a reference video',
    upstream: kling,
    model: 'kling-3.0-omni',
    parameters: withImageAndVideo,
    sends: {
      contents: [
        { type: 'prompt', text: '@video_1 in the place of @image_1, not Video 9' },
        { type: 'refer_image', url: imageUrl, id: 'image_1' },
        { type: 'feature_video', url: clip, id: 'video_1' },
      ],
      settings: { audio: 'off', multi_shot: true },
    },
  },
  {
    title: 'Kling, second generation: a video to edit',
    upstream: kling,
    model: 'kling-3.0-omni',
    parameters: { prompt, input_video: clip, keep_audio: true },
    sends: { contents: [{}, { type: 'base_video', url: clip }], settings: { audio: 'original', multi_shot: false } },
  },
  {
    title: 'Vidu: videos beside images',
    upstream: vidu,
    model: 'viduq2-pro',
    parameters: withImageAndVideo,
    path: '/ent/v2/reference2video',
    sends: { images: [imageUrl], videos: [clip] },
  },
  {
    title: 'Vidu: a video as a data URI',
    upstream: vidu,
    model: 'viduq2-pro',
    parameters: { prompt, reference_videos: [video] },
    sends: { videos: [video] },
  },
  {
    title: 'Replicate: lists of URLs',
    upstream: replicate,
    model: 'bytedance/seedance-2.0',
    parameters: { ...withAllReferences, reference_audios: [sound] },
    sends: { input: { reference_videos: [clip, secondClip], reference_audios: [sound], reference_images: [imageUrl] } },
  },
  {
    title: 'xAI: a video to edit',
    upstream: xai,
    model: 'grok-imagine-video',
    parameters: { prompt, input_video: clip },
    path: '/v1/videos/edits',
    sends: { prompt, video: { url: clip } },
    lacks: ['duration', 'aspect_ratio', 'resolution'],
  },
  {
    title: 'xAI: a video to continue',
    upstream: xai,
    model: 'grok-imagine-video',
    parameters: { prompt, input_video: video, task: 'extend', seconds: 6 },
    path: '/v1/videos/extensions',
    sends: { video: { url: video }, duration: 6 },
    lacks: ['aspect_ratio'],
  },
  {
    title: 'Veo on Vertex: the bytes of a video to continue',
    upstream: vertex,
    model: 'veo-3.1-generate-001',
    parameters: { prompt, input_video: video, task: 'extend', watermark: false },
    sends: { instances: [{ video: { bytesBase64Encoded: mediaSample('mp4').toString('base64'), mimeType: 'video/mp4' } }] },
  },
]

describe('videos and sound are sent in the form that the provider accepts', () => {
  it.each(submitCases)('$title', async ({ upstream, model, parameters, path, sends, lacks = [] }) => {
    const { driver, protocol, ...targetOptions } = upstream
    await using connected = await openUpstream(driver, protocol, { ...targetOptions, model })
    const request = requestOf(parameters)
    expect(driver.refuse(request, connected.target)).toBeNull()
    await connected.driver.start(request, startContext)
    const [submit] = connected.simulator.of('submit')
    expect(submit?.json).toMatchObject(sends)
    if (path !== undefined) expect(submit?.url.pathname).toBe(path)
    for (const name of lacks) expect(submit?.json).not.toHaveProperty(name)
  })

  it('ComfyUI gets uploaded files for its slots, and a request without one of them is refused', async () => {
    const workflow = {
      '1': { class_type: 'LoadVideo', inputs: { file: 'a.mp4' } },
      '2': { class_type: 'LoadAudio', inputs: { file: 'a.mp3' } },
      '6': { class_type: 'CLIPTextEncode', inputs: { text: 'a sample' } },
    } satisfies Json
    const slots = { prompt: '6.text', input_video: '1.file', input_audio: '2.file' }
    const target: Partial<ConnectedTarget> = { model: 'wan', workflow, slots, credential: comfyuiCredential }
    await using connected = await openUpstream(comfyuiDriver, createComfyuiProtocol(), target)
    const parameters: RequestParameters = { prompt, input_video: video, input_audio: sound, seconds: undefined as never }
    const request = requestOf(parameters)
    expect(comfyuiDriver.refuse(request, connected.target)).toBeNull()
    await connected.driver.start(request, startContext)
    const [submit] = connected.simulator.of('submit')
    expect(submit?.json.prompt['1'].inputs.file).toMatch(/^clients\/input-[0-9a-f]{32}( \(\d\))?\.mp4$/)
    expect(submit?.json.prompt['2'].inputs.file).toMatch(/\.mp3$/)
    expect(comfyuiDriver.refuse(requestOf({ prompt, input_video: video }), connected.target)).toMatchObject({
      parameter: 'input_audio',
    })
  })
})

const facts: MediaFacts = {
  kind: 'video',
  contentType: 'video/mp4',
  sizeBytes: 1_000_000,
  width: 1280,
  height: 720,
  seconds: 5,
  fps: 24,
}
const clipInputs = (overrides: Partial<MediaFacts>, parameter = 'reference_videos') => [
  { parameter, fieldName: `${parameter}[0]`, pointer: `/${parameter}/0`, facts: { ...facts, ...overrides } },
]

interface RefusalCase {
  title: string
  upstream: Upstream
  model: string
  parameters: RequestParameters
  factsOverrides?: Partial<MediaFacts>
  parameter: string
  expected?: RegExp
}
const seedance20 = 'dreamina-seedance-2-0-260128'
const refusalCases: RefusalCase[] = [
  {
    title: 'Ark: a fourth video for Seedance 2.0',
    upstream: ark,
    model: seedance20,
    parameters: { prompt, reference_videos: [clip, clip, clip, clip] },
    parameter: 'reference_videos',
    expected: /at most 3 videos/,
  },
  {
    title: 'Ark: a video as a data URI',
    upstream: ark,
    model: seedance20,
    parameters: { prompt, reference_videos: [video] },
    parameter: 'reference_videos',
    expected: /URL or an asset/,
  },
  {
    title: 'Ark: a video of 16 seconds',
    upstream: ark,
    model: seedance20,
    parameters: withImageAndVideo,
    factsOverrides: { seconds: 16 },
    parameter: 'reference_videos',
    expected: /16 seconds long; it must be 2 to 15/,
  },
  {
    title: 'Ark: a WebM',
    upstream: ark,
    model: seedance20,
    parameters: withImageAndVideo,
    factsOverrides: { contentType: 'video/webm' },
    parameter: 'reference_videos',
    expected: /video\/mp4 or video\/quicktime/,
  },
  {
    title: 'Ark: a video narrower than 300 pixels',
    upstream: ark,
    model: seedance20,
    parameters: withImageAndVideo,
    factsOverrides: { width: 200 },
    parameter: 'reference_videos',
    expected: /300 to 6000/,
  },
  {
    title: 'Ark: a video with 12 frames per second',
    upstream: ark,
    model: seedance20,
    parameters: withImageAndVideo,
    factsOverrides: { fps: 12 },
    parameter: 'reference_videos',
    expected: /24 to 60/,
  },
  {
    title: 'Ark: sound alone for Seedance 2.0',
    upstream: ark,
    model: seedance20,
    parameters: { prompt, reference_audios: [song] },
    parameter: 'reference_audios',
  },
  {
    title: 'Ark: a video beside a frame',
    upstream: ark,
    model: seedance20,
    parameters: { prompt, first_frame: imageUrl, reference_videos: [clip] },
    parameter: 'reference_videos',
  },
  {
    title: 'Ark: a video for a model before Seedance 2.0',
    upstream: ark,
    model: 'seedance-1-5-pro-251215',
    parameters: withImageAndVideo,
    parameter: 'reference_images',
  },
  {
    title: 'DashScope: sound for Wan 2.7',
    upstream: dashscope,
    model: 'wan2.7-r2v',
    parameters: withAllReferences,
    parameter: 'reference_audios',
  },
  {
    title: 'fal: thirteen files',
    upstream: fal,
    model: 'bytedance/seedance-2.0/reference-to-video',
    parameters: {
      prompt,
      reference_images: Array<string>(9).fill(imageUrl),
      reference_videos: [clip, clip, clip],
      reference_audios: [song],
    },
    factsOverrides: {},
    parameter: 'reference_videos',
    expected: /13 images, videos and sounds; at most 12/,
  },
  {
    title: 'fal: a video for a text endpoint',
    upstream: fal,
    model: 'bytedance/seedance-2.0/text-to-video',
    parameters: { prompt, reference_videos: [clip] },
    parameter: 'reference_videos',
  },
  {
    title: 'fal: no video to edit',
    upstream: fal,
    model: 'fal-ai/kling-video/o3/pro/video-to-video/edit',
    parameters: { prompt },
    parameter: 'input_video',
    expected: /required/,
  },
  {
    title: 'Kling: sound beside a video',
    upstream: kling,
    model: 'kling-v3-omni',
    parameters: { ...withImageAndVideo, audio: true },
    parameter: 'audio',
  },
  {
    title: 'Kling: two videos',
    upstream: kling,
    model: 'kling-v3-omni',
    parameters: { prompt, reference_videos: [clip, secondClip] },
    parameter: 'reference_videos',
  },
  {
    title: 'Kling: a video to edit, for a model that only makes new videos',
    upstream: kling,
    model: 'kling-v2-6',
    parameters: { prompt, input_video: clip },
    parameter: 'input_video',
  },
  {
    title: 'Vidu: a video for a model other than Q2 Pro',
    upstream: vidu,
    model: 'viduq3-turbo',
    parameters: withImageAndVideo,
    parameter: 'reference_videos',
  },
  {
    title: 'Vidu: two videos, one of them too long',
    upstream: vidu,
    model: 'viduq2-pro',
    parameters: { prompt, reference_videos: [clip, clip] },
    factsOverrides: { seconds: 7 },
    parameter: 'reference_videos',
  },
  {
    title: 'xAI: a video for grok-imagine-video-1.5',
    upstream: xai,
    model: 'grok-imagine-video-1.5',
    parameters: { prompt, input_video: clip },
    parameter: 'input_video',
  },
  {
    title: 'xAI: nine seconds to edit',
    upstream: xai,
    model: 'grok-imagine-video',
    parameters: { prompt, input_video: clip },
    factsOverrides: { seconds: 9 },
    parameter: 'input_video',
    expected: /8\.7/,
  },
  {
    title: 'Veo: a video with a frame rate other than 24',
    upstream: vertex,
    model: 'veo-3.1-generate-001',
    parameters: { prompt, input_video: clip },
    factsOverrides: { fps: 30 },
    parameter: 'input_video',
  },
  {
    title: 'OpenAI: any video',
    upstream: openai,
    model: 'sora-2',
    parameters: { prompt, reference_videos: [clip] },
    parameter: 'reference_videos',
  },
  {
    title: 'OpenAI: a video to edit',
    upstream: openai,
    model: 'sora-2',
    parameters: { prompt, input_video: clip },
    parameter: 'input_video',
  },
]

describe('a file that a provider does not accept is refused by its driver', () => {
  it.each(refusalCases)('$title', ({ upstream, model, parameters, factsOverrides, parameter, expected = /./ }) => {
    const target = { baseUrl: 'https://x', model, parameters: {}, extra: {}, workflow: null, slots: {} }
    const isVertex = upstream === vertex
    const connection = isVertex ? { ...target, baseUrl: `https://x${vertexPath}` } : target
    const inputParameter = 'input_video' in parameters ? 'input_video' : 'reference_videos'
    const inputs = factsOverrides === undefined ? undefined : clipInputs(factsOverrides, inputParameter)
    const refusal = upstream.driver.refuse({ ...requestOf(parameters), ...(inputs && { inputs }) }, connection)
    expect(refusal).toMatchObject({ parameter, message: expect.stringMatching(expected) })
  })
})
