import { generateKeyPairSync, verify } from 'node:crypto'
import {
  createResults,
  type Protocol,
  type SimulatedResponse,
  type SimulatedJob,
  type SimulatedRequest,
  type Simulator,
} from './simulator.ts'

export const vertexPath = '/v1/projects/films/locations/us-central1'
export const geminiPath = '/v1beta'
export const geminiKey = 'AIza-simulated-key'
export const vertexToken = 'ya29.simulated-token'

const keyPair = generateKeyPairSync('rsa', { modulusLength: 2048 })
export const serviceAccount = {
  type: 'service_account',
  client_email: 'gate@films.iam.gserviceaccount.com',
  private_key_id: 'key-1',
  private_key: keyPair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
}

const models = new Set(['veo-3.1-generate-001', 'veo-3.1-generate-preview', 'veo-3.1-lite-generate-001', 'veo-9'])

/** Simulates Veo on Vertex AI or the Gemini API: `predictLongRunning` and its operations. */
function protocolAt(basePath: string, isAuthorized: (request: SimulatedRequest) => boolean): Protocol {
  const isVertex = basePath === vertexPath
  const modelsPath = `${basePath}/${isVertex ? 'publishers/google/' : ''}models/`
  return {
    stageOf({ method, url: { pathname } }) {
      if (method === 'POST' && pathname.startsWith(modelsPath)) {
        if (pathname.endsWith(':predictLongRunning')) return 'submit'
        return isVertex && pathname.endsWith(':fetchPredictOperation') ? 'poll' : undefined
      }
      if (method !== 'GET' || isVertex) return undefined
      if (/\/operations\/[^/]+$/.test(pathname)) return 'poll'
      if (/\/files\/[^/]+:download$/.test(pathname)) return 'result'
      return pathname.startsWith(modelsPath) ? 'probe' : undefined
    },
    respond(request, stage, simulator) {
      if (!isAuthorized(request))
        return errorResponse(isVertex ? 401 : 403, isVertex ? 'UNAUTHENTICATED' : 'PERMISSION_DENIED', 'who are you?')
      if (stage === 'result') return { status: 200, bytes: simulator.media, headers: { 'content-type': 'video/mp4' } }
      const model = (request.url.pathname.slice(modelsPath.length).split(/[:/]/)[0] ?? '').trim()
      if (!models.has(model)) return errorResponse(404, 'NOT_FOUND', `models/${model} is not found`)
      if (stage === 'probe') return { status: 200, json: { name: `models/${model}` } }
      if (stage === 'submit') return acceptSubmit(simulator, request, isVertex, model)
      const name = isVertex ? String(request.json?.operationName) : request.url.pathname
      if (isVertex && !name.startsWith('projects/')) return errorResponse(400, 'INVALID_ARGUMENT', 'operationName')
      const job = simulator.polled(name.split('/').at(-1))
      if (job === undefined) return errorResponse(404, 'NOT_FOUND', 'no such operation')
      return { status: 200, json: operationOf(simulator, job, isVertex, basePath, model) }
    },
  }
}

export const vertexProtocol = protocolAt(vertexPath, ({ headers }) => {
  const token = (headers['authorization'] ?? '').replace(/^Bearer /, '')
  return token === vertexToken || isSignedJwt(token)
})
export const geminiProtocol = protocolAt(geminiPath, ({ headers }) => headers['x-goog-api-key'] === geminiKey)

function isSignedJwt(token: string): boolean {
  const [header = '', claims = '', signature = ''] = token.split('.')
  if (signature === '') return false
  const { iss, sub, scope, iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  const isOfAccount = iss === serviceAccount.client_email && sub === iss
  const areClaimsValid = isOfAccount && scope === 'https://www.googleapis.com/auth/cloud-platform' && exp - iat <= 3600
  const { kid, alg } = JSON.parse(Buffer.from(header, 'base64url').toString())
  const isHeaderValid = kid === 'key-1' && alg === 'RS256'
  const signed = Buffer.from(`${header}.${claims}`)
  return areClaimsValid && isHeaderValid && verify('sha256', signed, keyPair.publicKey, Buffer.from(signature, 'base64url'))
}

const acceptedNames = new Set([
  'aspectRatio',
  'resolution',
  'durationSeconds',
  'sampleCount',
  'negativePrompt',
  'personGeneration',
  'seed',
])

function acceptSubmit(simulator: Simulator, request: SimulatedRequest, isVertex: boolean, model: string): SimulatedResponse {
  const { instances, parameters = {} } = request.json ?? {}
  if (!Array.isArray(instances) || instances.length !== 1) return errorResponse(400, 'INVALID_ARGUMENT', 'instances: exactly one')
  const [{ prompt, image, lastFrame, referenceImages = [], video }] = instances
  if (video !== undefined && (!isVertex || video.mimeType !== 'video/mp4' || typeof video.bytesBase64Encoded !== 'string')) {
    return errorResponse(400, 'INVALID_ARGUMENT', 'video')
  }
  if (prompt === undefined && image === undefined) return errorResponse(400, 'INVALID_ARGUMENT', 'a prompt or an image is needed')
  const images = [image, lastFrame, ...referenceImages.map((reference: { image: unknown }) => reference.image)]
  if (images.some((image) => image !== undefined && !isImage(image)))
    return errorResponse(400, 'INVALID_ARGUMENT', 'an image is no image')
  if (lastFrame !== undefined && image === undefined)
    return errorResponse(400, 'INVALID_ARGUMENT', 'use case is currently not supported')
  if (
    referenceImages.length > 3 ||
    referenceImages.some((reference: { referenceType: string }) => !/^(asset|ASSET)$/.test(reference.referenceType))
  ) {
    return errorResponse(400, 'INVALID_ARGUMENT', 'referenceImages')
  }
  const unknownParameter = Object.keys(parameters).find(
    (name) => !acceptedNames.has(name) && !(isVertex && name === 'generateAudio'),
  )
  if (unknownParameter !== undefined)
    return errorResponse(400, 'INVALID_ARGUMENT', `${unknownParameter} isn't supported by this model`)
  if (isVertex && typeof parameters.generateAudio !== 'boolean')
    return errorResponse(400, 'INVALID_ARGUMENT', 'generateAudio is required')
  if (video !== undefined && ('durationSeconds' in parameters || 'aspectRatio' in parameters)) {
    return errorResponse(400, 'INVALID_ARGUMENT', 'the video decides its length and ratio')
  }
  if (video === undefined && ![4, 6, 8].includes(parameters.durationSeconds) && model !== 'veo-9')
    return errorResponse(400, 'INVALID_ARGUMENT', 'durationSeconds')
  const { id } = simulator.addJob(request)
  return { status: 200, json: { name: operationName(id, isVertex, model) } }
}

/** Name of an operation. Google's client polls with the name, and reads the model from it. */
function operationName(id: string, isVertex: boolean, model: string): string {
  return `${isVertex ? 'projects/films/locations/us-central1/publishers/google/' : ''}models/${model}/operations/${id}`
}

function isImage(image: { bytesBase64Encoded?: unknown; mimeType?: unknown }): boolean {
  return typeof image.bytesBase64Encoded === 'string' && /^image\/(png|jpeg|webp)$/.test(String(image.mimeType))
}

function operationOf(
  { media, origin }: Simulator,
  { id, state, request }: SimulatedJob,
  isVertex: boolean,
  basePath: string,
  model: string,
) {
  const name = operationName(id, isVertex, model)
  if (state === 'failed') return { name, done: true, error: { code: 13, message: 'it broke' } }
  if (state !== 'succeeded') return { name, ...(state === 'running' && { done: false, metadata: {} }) }
  const { sampleCount } = request.json.parameters
  if (isVertex) {
    const videos = createResults(sampleCount, () => ({ bytesBase64Encoded: media.toString('base64'), mimeType: 'video/mp4' }))
    return { name, done: true, response: { '@type': 'GenerateVideoResponse', raiMediaFilteredCount: 0, videos } }
  }
  const generatedSamples = createResults(sampleCount, () => ({
    video: { uri: `${origin}${basePath}/files/${id}:download?alt=media` },
  }))
  return { name, done: true, response: { '@type': 'PredictLongRunningResponse', generateVideoResponse: { generatedSamples } } }
}

function errorResponse(code: number, status: string, message: string): SimulatedResponse {
  return { status: code, json: { error: { code, message, status } } }
}
