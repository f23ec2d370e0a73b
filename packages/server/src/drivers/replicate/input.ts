import type { GenerationRequest, Json } from '../driver.ts'
import type { ParameterName } from '../upstream/requested-parameters.ts'
import { isMediaParameter, mediaParameters, type MediaParameter } from '../../catalogue/generation-parameters.ts'
import { classifyUploadError, sendUpload } from '../upstream/classify-error.ts'
import { refuseBeyondLimits } from '../upstream/model-limits.ts'
import { objectIn, textIn } from '../upstream/read-json.ts'
import { ownParameters, withoutRenamed } from '../upstream/renamed-parameters.ts'
import type { ParameterRefusal, UpstreamRequest, UpstreamTarget } from '../upstream/upstream-driver.ts'
import { bodyByRouteInput, hasRouteInput, refuseByRouteInput } from '../upstream/described-input.ts'
import type { ReplicateConnection } from './connection.ts'
import { modelNamed } from './models.ts'

/**
 * Maximum size of a file that is sent as a data URI. The upstream rejects longer data URIs, so a
 * larger file is uploaded first.
 */
const inlineBytesMax = 180 * 1024

export function refuseInput(request: UpstreamRequest, target: UpstreamTarget): ParameterRefusal | null {
  if (hasRouteInput(target)) return refuseByRouteInput(request, target.input)
  const { inputNames, resolutions, aspectRatios, firstFrameSetsRatio = false, ...limits } = modelNamed(target.model)
  const isRatioIgnored = firstFrameSetsRatio && request.parameters.first_frame !== undefined
  return refuseBeyondLimits(withoutRenamed(request, target), {
    ...limits,
    dataUriKinds: ['video', 'audio'],
    parameters: [...(Object.keys(inputNames) as ParameterName[]), 'aspect_ratio'],
    ...(resolutions !== undefined && { resolutions: Object.keys(resolutions) }),
    ...(aspectRatios !== undefined && !isRatioIgnored && { aspectRatios }),
  })
}

/** Returns the `input` object of a submit. */
export async function inputOf(
  connection: ReplicateConnection,
  request: GenerationRequest,
  signal: AbortSignal,
): Promise<{ [name: string]: Json }> {
  const { target } = connection
  if (hasRouteInput(target)) {
    return bodyByRouteInput(request, target, (source, name, position) => fileFor(connection, name, source, position, signal))
  }
  const { inputNames, resolutions = {}, defaults = {} } = modelNamed(target.model)
  const input: { [name: string]: Json } = ownParameters(request, target)
  for (const [key, upstreamName] of Object.entries({ ...inputNames, ...target.parameters })) {
    const name = key as ParameterName
    const value = request.parameters[name]
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue
    // Most models generate one result and have no input for a number of results.
    if (name === 'n' && value === 1 && !('n' in target.parameters)) continue
    if (isMediaParameter(name)) {
      const fieldOf = (source: string, position: string) => fileFor(connection, name, source, position, signal)
      input[upstreamName] = Array.isArray(value)
        ? await Promise.all(value.map((source, index) => fieldOf(source, `${name}/${index}`)))
        : await fieldOf(String(value), name)
    } else if (name === 'resolution' && !('resolution' in target.parameters))
      input[upstreamName] = resolutions[String(value)] ?? value
    else input[upstreamName] = value
  }
  return { ...defaults, ...input, ...target.extra }
}

async function fileFor(
  { target, tools, headers }: ReplicateConnection,
  name: MediaParameter,
  source: string,
  position: string,
  signal: AbortSignal,
): Promise<string> {
  const url = await tools.files.publicUrl(source)
  if (url !== null) return url
  const { bytes, contentType } = await (mediaParameters[name] === 'image'
    ? tools.files.bytes(source, position, signal)
    : tools.files.mediaBytes(source, position, signal))
  if (bytes.length <= inlineBytesMax) return `data:${contentType};base64,${bytes.toString('base64')}`
  return upload({ target, tools, headers }, new Blob([new Uint8Array(bytes)], { type: contentType }), signal)
}

async function upload({ target, tools, headers }: ReplicateConnection, file: Blob, signal: AbortSignal): Promise<string> {
  const { FormData } = await import('undici')
  const form = new FormData()
  const [kind = 'file', type = ''] = file.type.split('/')
  form.append('content', file, `${kind}.${type}`)
  const url = `${target.baseUrl}/files`
  const response = await sendUpload(tools.call, { method: 'POST', url, headers, form, signal })
  const uploadedUrl = textIn(objectIn(objectIn(response.json)['urls'])['get'])
  if (response.status >= 300 || uploadedUrl === '') throw classifyUploadError(response)
  return uploadedUrl
}
