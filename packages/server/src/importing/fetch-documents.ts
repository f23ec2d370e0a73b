import { buffer } from 'node:stream/consumers'
import { documentBytesMax, listBytesMax, nodeTypesBytesMax } from '../catalogue/import/import-limits.ts'
import { ImportError, SourceNotFound } from '../catalogue/import/import-error.ts'
import { readForeignJson } from '../catalogue/import/read-foreign-json.ts'
import type { ReplicateSource } from '../catalogue/import/replicate/replicate-document.ts'
import type { CallUpstream } from '../drivers/upstream/call-upstream.ts'
import type { FetchUntrusted } from '../lib/guarded-fetch/fetch-untrusted.ts'
import { UntrustedFetchError } from '../lib/guarded-fetch/untrusted-fetch-error.ts'
import type { UpstreamDefinition } from '../routing/configuration/definitions.ts'

/** Functions for fetching the documents of sources. */
export interface FetchDependencies {
  /** Fetches a public address without a key. */
  fetchUntrusted: FetchUntrusted
  /** Sends a request to an upstream with its key. */
  call: CallUpstream
}

type Document = Record<string, unknown>

const timeoutMs = 20_000
const concurrentFetchesMax = 8
const falSchemaUrl = 'https://fal.ai/api/openapi/queue/openapi.json'
const openrouterBaseUrl = 'https://openrouter.ai/api/v1'

export async function fetchFalDocument(
  dependencies: FetchDependencies,
  upstream: UpstreamDefinition,
  endpoint: string,
  signal: AbortSignal,
): Promise<Document> {
  const url = `${upstream.schemaUrl ?? falSchemaUrl}?endpoint_id=${encodeURIComponent(endpoint)}`
  return fetchPublic(dependencies, url, `The schema of ${endpoint}`, documentBytesMax, signal)
}

/**
 * Fetches the document of a model. If a version is given, it replaces the field `latest_version`.
 */
export async function fetchReplicateDocument(
  dependencies: FetchDependencies,
  upstream: UpstreamDefinition,
  { name, version }: ReplicateSource,
  signal: AbortSignal,
): Promise<Document> {
  const model = await fetchFromUpstream(dependencies, upstream, `/models/${name}`, `The model ${name}`, documentBytesMax, signal)
  if (version === null) return model
  const path = `/models/${name}/versions/${version}`
  const versionDocument = await fetchFromUpstream(
    dependencies,
    upstream,
    path,
    `The version of ${name}`,
    documentBytesMax,
    signal,
  )
  return { ...model, latest_version: versionDocument }
}

/**
 * Fetches the node types of a workflow, by name. Node types that the server does not have are
 * missing.
 */
export async function fetchNodeTypes(
  dependencies: FetchDependencies,
  upstream: UpstreamDefinition,
  types: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, Document>> {
  const nodeTypes = new Map<string, Document>()
  for (let start = 0; start < types.length; start += concurrentFetchesMax) {
    await Promise.all(
      types.slice(start, start + concurrentFetchesMax).map(async (type) => {
        const path = `/api/object_info/${encodeURIComponent(type)}`
        const document = await fetchFromUpstream(dependencies, upstream, path, `The node type ${type}`, nodeTypesBytesMax, signal)
        const nodeType = Object.hasOwn(document, type) ? document[type] : undefined
        if (typeof nodeType === 'object' && nodeType !== null) nodeTypes.set(type, nodeType as Document)
      }),
    )
  }
  return nodeTypes
}

export async function fetchOpenaiList(
  dependencies: FetchDependencies,
  upstream: UpstreamDefinition,
  signal: AbortSignal,
): Promise<Document> {
  return fetchFromUpstream(dependencies, upstream, '/models', `The list of models of ${upstream.name}`, listBytesMax, signal)
}

export async function fetchOpenrouterList(
  dependencies: FetchDependencies,
  upstream: UpstreamDefinition,
  signal: AbortSignal,
): Promise<Document> {
  const url = `${upstream.schemaUrl ?? openrouterBaseUrl}/videos/models`
  return fetchPublic(dependencies, url, 'The list of video models', listBytesMax, signal)
}

/** Fetches the contents of a shared definition. */
export async function fetchSharedFile(dependencies: FetchDependencies, url: string, signal: AbortSignal): Promise<Buffer> {
  return readPublic(dependencies, url, 'The definition', documentBytesMax, signal)
}

async function fetchPublic(
  dependencies: FetchDependencies,
  url: string,
  subject: string,
  bytesMax: number,
  signal: AbortSignal,
): Promise<Document> {
  return readForeignJson(await readPublic(dependencies, url, subject, bytesMax, signal), subject, bytesMax)
}

async function readPublic(
  { fetchUntrusted }: Pick<FetchDependencies, 'fetchUntrusted'>,
  url: string,
  subject: string,
  bytesMax: number,
  signal: AbortSignal,
): Promise<Buffer> {
  try {
    const { stream } = await fetchUntrusted(url, { bytesMax, timeoutMs, signal, accept: 'application/json', redirectsMax: 2 })
    return await buffer(stream)
  } catch (cause) {
    if (!(cause instanceof UntrustedFetchError)) throw cause
    const ErrorClass = cause.reason === 'not_found' ? SourceNotFound : ImportError
    throw new ErrorClass(`${subject} could not be fetched: ${cause.message}.`, { cause })
  }
}

async function fetchFromUpstream(
  { call }: Pick<FetchDependencies, 'call'>,
  upstream: UpstreamDefinition,
  path: string,
  subject: string,
  bytesMax: number,
  signal: AbortSignal,
): Promise<Document> {
  const base = upstream.schemaUrl ?? upstream.baseUrl
  const headers = headersFor(upstream, base)
  const response = await call({ method: 'GET', url: base + path, headers, signal, timeoutMs, bytesMax }).catch(
    (cause: unknown) => {
      signal.throwIfAborted()
      throw new ImportError(`${subject} could not be fetched: ${(cause as Error).message}.`, { cause })
    },
  )
  if (response.status !== 200) {
    const ErrorClass = response.status === 404 || response.status === 410 ? SourceNotFound : ImportError
    throw new ErrorClass(`${subject} could not be fetched: the response was HTTP ${response.status}.`)
  }
  return readForeignJson(response.body, subject, bytesMax)
}

/**
 * Returns the header with the upstream's key, or no headers if `base` has another origin than the
 * upstream, so that the key is sent only to the origin for which the operator set it.
 */
function headersFor({ baseUrl, credential }: UpstreamDefinition, base: string): Record<string, string> {
  const key = credential?.reveal() ?? ''
  if (key === '' || new URL(base).origin !== new URL(baseUrl).origin) return {}
  return { authorization: key.includes(' ') ? key : `Bearer ${key}` }
}
