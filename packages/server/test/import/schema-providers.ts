import { comfyuiCredential, createComfyuiProtocol } from '../upstreams/comfyui.protocol.ts'
import { falProtocol } from '../upstreams/fal.protocol.ts'
import { openaiKey, openaiProtocol } from '../upstreams/openai.protocol.ts'
import { replicateKey, replicateProtocol } from '../upstreams/replicate.protocol.ts'
import type { Protocol, SimulatedResponse, SimulatedRequest } from '../upstreams/simulator.ts'
import { comfyuiNodeTypes } from './comfyui-workflows.ts'
import { falDocuments } from './fal-documents.ts'
import { hostileDocuments } from './hostile-documents.ts'
import { openaiModels, openrouterVideoModels } from './model-lists.ts'
import { replicateDocuments, versionOf } from './replicate-documents.ts'

/** Returns a response with a schema or a list of models. Undefined: the protocol responds. */
type ServeSchema = (request: SimulatedRequest) => SimulatedResponse | undefined

/** Adds responses with schemas to the API of a simulated provider. */
function withSchemas(protocol: Protocol, serve: ServeSchema): Protocol {
  return {
    ...protocol,
    stageOf: (request) => (request.method === 'GET' && serve(request) !== undefined ? 'probe' : protocol.stageOf(request)),
    respond: (request, stage, simulator) =>
      (request.method === 'GET' ? serve(request) : undefined) ?? protocol.respond(request, stage, simulator),
  }
}

const notFound: SimulatedResponse = { status: 404, json: { detail: 'Not found' } }

/** `overrides`: responses that replace the default documents, by endpoint. */
export function falWithSchemas(overrides: Map<string, SimulatedResponse>): Protocol {
  return withSchemas(falProtocol, ({ url, headers }) => {
    if (url.pathname !== '/schemas') return undefined
    if (headers['authorization'] !== undefined) return { status: 400, json: { detail: 'a key was shown to the web host' } }
    const endpoint = url.searchParams.get('endpoint_id') ?? ''
    const hostile = hostileDocuments[Number(/^evil\/model-(\d+)$/.exec(endpoint)?.[1] ?? -1)]
    if (hostile !== undefined) return { status: 200, bytes: Buffer.from(hostile.text) }
    const document = falDocuments.get(endpoint)
    return overrides.get(endpoint) ?? (document === undefined ? notFound : { status: 200, json: document })
  })
}

export const replicateWithSchemas = withSchemas(replicateProtocol, ({ url, headers }) => {
  const [, name = '', version] = /^\/v1\/models\/([^/]+\/[^/]+)(?:\/versions\/(\w+))?$/.exec(url.pathname) ?? []
  const document = replicateDocuments.get(name)
  if (document === undefined) return undefined
  if (headers['authorization'] !== `Bearer ${replicateKey}`) return { status: 401, json: { title: 'Unauthenticated' } }
  if (version === undefined) return { status: 200, json: document }
  return version === versionOf(name) ? { status: 200, json: document['latest_version'] } : notFound
})

export const comfyuiWithNodeTypes = withSchemas(createComfyuiProtocol(), ({ url, headers }) => {
  const [, type] = /^\/api\/object_info\/([^/]+)$/.exec(url.pathname) ?? []
  if (type === undefined) return undefined
  if (headers['authorization'] !== comfyuiCredential) return { status: 401, json: {} }
  const name = decodeURIComponent(type)
  const nodeType = comfyuiNodeTypes.get(name)
  return { status: 200, json: nodeType === undefined ? {} : { [name]: nodeType } }
})

export const openaiWithModels = withSchemas(openaiProtocol, ({ url, headers }) => {
  if (url.pathname === '/v1/videos/models') return { status: 200, json: openrouterVideoModels }
  if (url.pathname !== '/v1/models') return undefined
  return headers['authorization'] === `Bearer ${openaiKey}` ? { status: 200, json: openaiModels } : { status: 401, json: {} }
})
