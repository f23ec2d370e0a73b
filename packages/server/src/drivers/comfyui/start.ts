import { createHash } from 'node:crypto'
import { isSharedName, mediaParameterNames, mediaParameters, type MediaParameter } from '../../catalogue/generation-parameters.ts'
import type { MediaType } from '../../lib/media-type.ts'
import type { GenerationRequest, Operation, StartContext } from '../driver.ts'
import type { UpstreamResponse } from '../upstream/call-upstream.ts'
import {
  AcceptanceUnknown,
  formatErrorDetail,
  classifyError,
  classifyUploadError,
  refusalError,
  sendSubmit,
  unavailableError,
  sendUpload,
  type SubmitCall,
} from '../upstream/classify-error.ts'
import { refuseUnsupported, requestedParameters } from '../upstream/requested-parameters.ts'
import { jobIdIn, listIn, objectIn, textIn } from '../upstream/read-json.ts'
import type { ParameterRefusal, UpstreamRequest, UpstreamTarget } from '../upstream/upstream-driver.ts'
import type { ComfyuiServer } from './server.ts'
import { fillWorkflow, slotTargetsOf, type FileNames } from './workflow.ts'

/**
 * Refuses parameters that have no slot in the workflow. `seconds`, `aspect_ratio` and `resolution`
 * need no slot of their own if other slots or input files determine the length or the shape.
 * Refuses a request with fewer or more files than a slot for files has inputs. An input without a
 * file would use the file that the operator saved with the workflow.
 */
export function refuseUnmapped({ parameters, object }: UpstreamRequest, target: UpstreamTarget): ParameterRefusal | null {
  for (const name of mediaParameterNames) {
    const inputCount = slotTargetsOf(target, name).length
    const fileCount = [parameters[name] ?? []].flat().length
    if (inputCount === fileCount || (inputCount === 0 && fileCount > 0)) continue
    const noun = { image: 'image', video: 'video', audio: 'audio file' }[mediaParameters[name]]
    const message = `${name} must be ${inputCount === 1 ? `one ${noun}` : `${inputCount} ${noun}s`} for this model`
    return { parameter: name, message: fileCount === 0 && inputCount === 1 ? `${name} is required for this model` : message }
  }
  const hasSlot = (name: string) => name in target.slots
  const isShapedByInput = ['first_frame', 'reference_images', 'reference_videos', 'input_video'].some(hasSlot)
  const acceptedNames: string[] = Object.keys(target.slots)
  if (hasSlot('frames')) acceptedNames.push('seconds')
  if ((hasSlot('width') && hasSlot('height')) || isShapedByInput) acceptedNames.push('aspect_ratio', 'resolution')
  if (object === 'image') acceptedNames.push('seconds')
  const ownParameter = requestedParameters(parameters).find((name) => !isSharedName(name) && !hasSlot(name))
  if (ownParameter !== undefined)
    return { parameter: ownParameter, message: `${ownParameter} is not supported for this model; leave it out` }
  return refuseUnsupported({ parameters }, acceptedNames)
}

/**
 * Returns the id that the service assigns to a job, so that the job can be looked up even if the
 * response is lost. It is a lower-case UUID, derived from the attempt's id.
 */
export function promptIdOf(attemptId: string): string {
  const bytes = createHash('sha256').update(`framegate ${attemptId}`).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

export async function start(
  server: ComfyuiServer,
  request: GenerationRequest,
  clientId: string,
  context: StartContext,
): Promise<Operation> {
  const { target, tools } = server
  const { signal } = context
  const fileNames: FileNames = {}
  for (const name of mediaParameterNames) fileNames[name] = await uploadFiles(server, request, name, signal)
  const json = {
    prompt: fillWorkflow(target, request, fileNames),
    client_id: clientId,
    ...target.extra,
    prompt_id: promptIdOf(request.attemptId),
  }
  const submit: SubmitCall = { method: 'POST', url: `${target.baseUrl}/api/prompt`, headers: server.headers, json }
  const response = await sendSubmit(tools.call, submit, context)
  if (response.status >= 300) throw submitErrorOf(response, target)
  const id = jobIdIn(objectIn(response.json)['prompt_id'])
  if (id === '') throw new AcceptanceUnknown(`HTTP ${response.status} without a prompt_id`)
  return { id }
}

/**
 * Uploads files to the server, because a workflow can only read files in the server's own folder.
 * An upload starts no job.
 */
async function uploadFiles(
  { target, tools, headers }: ComfyuiServer,
  { parameters }: GenerationRequest,
  name: MediaParameter,
  signal: AbortSignal,
): Promise<string[]> {
  const names: string[] = []
  const isList = Array.isArray(parameters[name])
  for (const [index, source] of [parameters[name] ?? []].flat().entries()) {
    const position = isList ? `${name}/${index}` : name
    const { bytes, contentType } = await (mediaParameters[name] === 'image'
      ? tools.files.bytes(source, position, signal)
      : tools.files.mediaBytes(source, position, signal))
    const { FormData } = await import('undici')
    const form = new FormData()
    const fileName = `input-${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.${extensionOf(contentType)}`
    // Despite its name, this endpoint accepts all file types.
    form.append('image', new Blob([new Uint8Array(bytes)], { type: contentType }), fileName)
    form.append('type', 'input')
    const url = `${target.baseUrl}/api/upload/image`
    const response = await sendUpload(tools.call, { method: 'POST', url, headers, form, signal })
    const file = objectIn(response.json)
    const storedName = [textIn(file['subfolder']), textIn(file['name'])].filter((part) => part !== '').join('/')
    if (response.status === 413) throw refusalError('invalid_input', 'HTTP 413, a file is too large for the server')
    if (response.status !== 200 || storedName === '') throw classifyUploadError(response)
    names.push(storedName)
  }
  return names
}

/** Returns the file extension. Nodes recognize the type of a file by its extension. */
function extensionOf(contentType: MediaType): string {
  const extensions: Partial<Record<MediaType, string>> = { 'video/quicktime': 'mov', 'audio/mpeg': 'mp3', 'audio/mp4': 'm4a' }
  return extensions[contentType] ?? contentType.slice(contentType.indexOf('/') + 1)
}

/**
 * Returns the error for a rejected workflow. The response lists errors by node. If all of them
 * concern inputs with values from the client, the client can correct them. Otherwise the workflow
 * or the server is at fault, for example because a node, a model or a file is missing.
 */
function submitErrorOf(response: UpstreamResponse, target: UpstreamTarget): Error {
  const error = objectIn(objectIn(response.json)['error'])
  const nodeErrors = Object.entries(objectIn(objectIn(response.json)['node_errors'])).flatMap(([node, errorEntry]) =>
    listIn(objectIn(errorEntry)['errors']).map((rawError) => ({ node, nodeError: objectIn(rawError) })),
  )
  const firstNodeError = nodeErrors[0]?.nodeError
  const details = [textIn(error['message']), textIn(firstNodeError?.['message']), textIn(firstNodeError?.['details'])].filter(
    (part) => part !== '',
  )
  const upstreamError = { code: textIn(firstNodeError?.['type']) || textIn(error['type']), message: details.join(': ') }
  if (response.status !== 400) return classifyError(response, { ...upstreamError, isPolicyViolation: false })
  const filledInputs = new Set(Object.values(target.slots).flatMap((inputs) => inputs.split(/\s+/)))
  const isValueError = ({ node, nodeError }: (typeof nodeErrors)[number]) =>
    filledInputs.has(`${node}.${textIn(objectIn(nodeError['extra_info'])['input_name'])}`)
  const detail = formatErrorDetail(response.status, upstreamError)
  return nodeErrors.length > 0 && nodeErrors.every(isValueError)
    ? refusalError('invalid_input', detail)
    : unavailableError(response, detail)
}
