import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { GenerationParameters } from '../../src/catalogue/generation-parameters.ts'
import { veoDriver } from '../../src/drivers/veo/veo-driver.ts'
import { dot, requestOf, openUpstream } from './driver-spec.ts'
import {
  googleClientSuite,
  hasGoogleClient,
  openGoogleClient,
  selfSigningOptions,
  type GoogleClient,
  type GoogleOperation,
} from './google-client.ts'
import type { Simulator } from './simulator.ts'
import { geminiKey, geminiPath, geminiProtocol, serviceAccount, vertexPath, vertexProtocol } from './veo.protocol.ts'
import { startContext } from '../start-context.ts'

const image = { imageBytes: dot.slice('data:image/png;base64,'.length), mimeType: 'image/png' }
const folder = mkdtempSync(path.join(tmpdir(), 'framegate-veo-'))
afterAll(() => rmSync(folder, { recursive: true }))

const apis = [
  {
    title: 'on the Gemini API',
    model: 'veo-3.1-generate-preview',
    open: () =>
      openUpstream(veoDriver, geminiProtocol, {
        basePath: geminiPath,
        credential: geminiKey,
        model: 'veo-3.1-generate-preview',
      }),
    openClient: ({ origin }: Simulator) =>
      openGoogleClient('google-genai-2', { apiKey: geminiKey, httpOptions: { baseUrl: origin, apiVersion: 'v1beta' } }),
    config: {},
    driverParameters: {},
  },
  {
    title: 'on Vertex AI, with tokens that a service account signs',
    model: 'veo-3.1-generate-001',
    open: () =>
      openUpstream(veoDriver, vertexProtocol, {
        basePath: vertexPath,
        credential: JSON.stringify(serviceAccount),
        model: 'veo-3.1-generate-001',
      }),
    openClient: ({ origin }: Simulator) =>
      openGoogleClient('@google/genai', {
        vertexai: true,
        project: 'films',
        location: 'us-central1',
        googleAuthOptions: selfSigningOptions(serviceAccount),
        httpOptions: { baseUrl: origin, apiVersion: 'v1' },
      }),
    config: { generateAudio: true, seed: 3 },
    driverParameters: { audio: true, seed: 3 },
  },
]

describe.skipIf(!hasGoogleClient)(googleClientSuite("Google's own client"), () => {
  describe.each(apis)('$title', ({ title, model, open, openClient, config, driverParameters }) => {
    const videoConfig = { numberOfVideos: 1, aspectRatio: '16:9', resolution: '720p', durationSeconds: 8, ...config }

    it("Google's own client gets a video from the simulator", async () => {
      await using upstream = await open()
      const client = openClient(upstream.simulator)
      const referenceImages = [{ image, referenceType: 'ASSET' }]
      const source = { prompt: 'a paper boat in rain' }
      const operation = await client.models.generateVideos({ model, source, config: { ...videoConfig, referenceImages } })
      expect(operation.done).toBeFalsy()
      const { response } = await untilDone(client, operation)
      expect(response?.generatedVideos).toHaveLength(1)
      const downloadPath = path.join(folder, `${title}.mp4`)
      await client.files.download({ file: response?.generatedVideos?.[0] ?? {}, downloadPath })
      expect(readFileSync(downloadPath)).toEqual(upstream.simulator.media)
    })

    it("Google's own client sends what the driver sends for the same videos", async () => {
      await using upstream = await open()
      const client = openClient(upstream.simulator)
      const source = { prompt: 'it moves' }
      const tallConfig = { ...videoConfig, aspectRatio: '9:16', resolution: '1080p', negativePrompt: 'fog' }
      const parameters: GenerationParameters = {
        ...source,
        negative_prompt: 'fog',
        aspect_ratio: '9:16',
        resolution: '1080p',
        seconds: 8,
        ...driverParameters,
      }
      const referenceImages = [image, image].map((image) => ({ image, referenceType: 'asset' }))
      await upstream.driver.start(requestOf({ ...parameters, first_frame: dot, last_frame: dot }), startContext)
      await client.models.generateVideos({ model, source: { ...source, image }, config: { ...tallConfig, lastFrame: image } })
      await upstream.driver.start(requestOf({ ...parameters, reference_images: [dot, dot] }), startContext)
      await client.models.generateVideos({ model, source, config: { ...tallConfig, referenceImages } })

      const [framesByDriver, framesByClient, referencesByDriver, referencesByClient] = upstream.simulator.of('submit')
      expect(framesByClient?.url).toEqual(framesByDriver?.url)
      expect(framesByClient?.json).toEqual(framesByDriver?.json)
      expect(referencesByClient?.json).toEqual(referencesByDriver?.json)
    })

    it("Google's own client reads the failures and refusals of the simulator", async () => {
      await using upstream = await open()
      const client = openClient(upstream.simulator)
      upstream.simulator.moves = ['failed']
      const source = { prompt: 'a paper boat' }
      const operation = await client.models.generateVideos({ model, source, config: videoConfig })
      expect((await untilDone(client, operation)).error).toEqual({ code: 13, message: 'it broke' })
      const refused = client.models.generateVideos({ model, source, config: { ...videoConfig, durationSeconds: 5 } })
      await expect(refused).rejects.toMatchObject({ status: 400 })
    })
  })
})

async function untilDone(client: GoogleClient, startedOperation: GoogleOperation): Promise<GoogleOperation> {
  let operation = startedOperation
  for (let polls = 0; polls < 5 && operation.done !== true; polls++) {
    operation = await client.operations.getVideosOperation({ operation })
  }
  expect(operation.done).toBe(true)
  return operation
}
