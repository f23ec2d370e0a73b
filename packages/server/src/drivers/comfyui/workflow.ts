import { createHash } from 'node:crypto'
import { isMediaParameter, type MediaParameter } from '../../catalogue/generation-parameters.ts'
import type { GenerationRequest, Json } from '../driver.ts'
import { nearestName } from '../../lib/nearest-name.ts'
import { objectIn, type JsonObject } from '../upstream/read-json.ts'
import type { UpstreamTarget } from '../upstream/upstream-driver.ts'

/**
 * An input of the operator's workflow that a slot names: `6.text` is the input `text` of node 6.
 * The service sets the input to a value of the request. The slot `frame_rate` is an exception: the
 * service reads the frame rate from its input. The workflow is a graph of nodes by id, each
 * `{class_type, inputs}`, as the editor exports it for the API.
 */
interface SlotTarget {
  node: string
  input: string
}

/** Maximum edit distance at which a name counts as a misspelled slot name. */
const typoEditsMax = 2

/**
 * Names of slots: parameters that all models share, values that are computed from them, and the
 * frame rate.
 */
const slotNames = [
  'prompt',
  'negative_prompt',
  'seed',
  'aspect_ratio',
  'resolution',
  'width',
  'height',
  'seconds',
  'frames',
  'frame_rate',
  'first_frame',
  'last_frame',
  'reference_images',
  'reference_videos',
  'reference_audios',
  'input_video',
  'input_audio',
  'mask',
  'task',
  'keep_audio',
  'audio',
  'watermark',
  'n',
] as const

export type SlotName = (typeof slotNames)[number]

/**
 * Returns the inputs of a slot. The operator names them in the setting `slots`, separated by
 * spaces. Only a slot for a list of files may have several inputs, one for each file.
 */
export function slotTargetsOf({ slots }: Pick<UpstreamTarget, 'slots'>, name: string): SlotTarget[] {
  return (slots[name] ?? '').split(/\s+/).flatMap((text) => {
    const dot = text.indexOf('.')
    return dot < 1 ? [] : [{ node: text.slice(0, dot), input: text.slice(dot + 1) }]
  })
}

function inputAt(workflow: Json | null, { node, input }: SlotTarget): unknown {
  return objectIn(objectIn(objectIn(workflow)[node])['inputs'])[input]
}

export function workflowViolations(target: UpstreamTarget): string[] {
  const { workflow, slots, parameters } = target
  if (workflow === null) return ['workflow must name the file of a workflow that was exported in API format']
  const nodes = Object.values(objectIn(workflow)).map(objectIn)
  const isApiFormat = nodes.length > 0 && nodes.every((node) => typeof node['class_type'] === 'string')
  if (!isApiFormat) return ['workflow must be in API format, nodes by id with class_type and inputs; export it with Export (API)']
  const names = new Set(Object.keys(slots))
  const hasAny = (...slots: SlotName[]) => slots.some((name) => names.has(name))
  const isShaped =
    (hasAny('width') && hasAny('height')) ||
    hasAny('aspect_ratio', 'first_frame', 'reference_images', 'reference_videos', 'input_video')
  return [
    ...Object.keys(slots).flatMap((name) => slotViolations(name, target)),
    ...(names.has('prompt') ? [] : ['slots.prompt must name the input for the prompt, such as 6.text']),
    ...(isShaped
      ? []
      : ['slots must have width and height, aspect_ratio, or an image or video that determines the shape of the result']),
    ...(hasAny('frames') && !hasAny('frame_rate')
      ? ['slots.frame_rate must name the input of the frame rate, which determines the number of frames']
      : []),
    ...(Object.keys(parameters).length === 0
      ? []
      : ['the setting parameters must be omitted, because slots names the input of each parameter']),
  ]
}

function slotViolations(name: string, { workflow, slots }: UpstreamTarget): string[] {
  const slot = slotNames.find((slotName) => slotName === name) ?? (isOwnName(name, slots) ? name : undefined)
  if (slot === undefined) {
    return [`slots.${name} must be one of ${slotNames.join(', ')}, or the name of a parameter that only this model has`]
  }
  const targets = slotTargetsOf({ slots }, slot)
  if (targets.length === 0) return [`slots.${name} must be a node and its input, such as 6.text`]
  if (targets.length > 1 && !slot.startsWith('reference_')) return [`slots.${name} must be one node and its input`]
  return targets.flatMap((target) => {
    const value = inputAt(workflow, target)
    if (!(target.node in objectIn(workflow)))
      return [`slots.${name} must name a node of the workflow, which has no node ${target.node}`]
    if (value === undefined)
      return [`slots.${name} must name an input of its node; node ${target.node} of the workflow has no input ${target.input}`]
    if (Array.isArray(value))
      return [
        `slots.${name} must name an input with a value; ${target.input} of node ${target.node} is connected to the node before it`,
      ]
    return slot === 'frame_rate' && typeof value !== 'number'
      ? [`slots.frame_rate must name an input with a number; ${target.node}.${target.input} is not a number`]
      : []
  })
}

/**
 * Whether a slot is for a parameter that only this model has. A name that resembles an unused slot
 * name counts as a misspelling of it.
 */
function isOwnName(name: string, slots: UpstreamTarget['slots']): boolean {
  const missingSlots = slotNames.filter((slotName) => !(slotName in slots))
  return /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(name) && nearestName(name, missingSlots, typoEditsMax) === undefined
}

/** The server's names of the uploaded files, by parameter. */
export type FileNames = Partial<Record<MediaParameter, readonly string[]>>

export function fillWorkflow(target: UpstreamTarget, request: GenerationRequest, fileNames: FileNames): Json {
  const { parameters, size } = request
  // The cast is safe, because the parameters have passed a JSON Schema.
  const otherParameters = Object.fromEntries(Object.entries(parameters).filter(([name]) => !isMediaParameter(name))) as Record<
    string,
    Json
  >
  const values: Record<string, Json | undefined> = {
    ...otherParameters,
    seed: seedOf(request),
    width: size.width,
    height: size.height,
    frames: frameCountOf(target, parameters.seconds),
  }
  const filledWorkflow = structuredClone(target.workflow)
  for (const name of Object.keys(target.slots)) {
    if (name === 'frame_rate') continue
    for (const [position, slotTarget] of slotTargetsOf(target, name).entries()) {
      const value = isMediaParameter(name) ? fileNames[name]?.[position] : values[name]
      if (value !== undefined) (inputsOf(filledWorkflow, slotTarget.node) as { [input: string]: Json })[slotTarget.input] = value
    }
  }
  return filledWorkflow
}

/**
 * Returns the requested seed. Default: a seed derived from the attempt's id. It is the same for
 * each call with the same attempt. It differs between attempts, because the server would otherwise
 * return cached results of another attempt.
 */
export function seedOf({ attemptId, parameters }: Pick<GenerationRequest, 'attemptId' | 'parameters'>): number {
  return parameters.seed ?? createHash('sha256').update(attemptId).digest().readUInt32BE(0)
}

/**
 * Returns the number of frames, which is seconds times frame rate, plus one: 81 for five seconds at
 * 16 frames per second. Latent video models expect the additional frame.
 */
function frameCountOf(target: UpstreamTarget, seconds: number | undefined): number | undefined {
  const [frameRateTarget] = slotTargetsOf(target, 'frame_rate')
  const rate = frameRateTarget === undefined ? undefined : inputAt(target.workflow, frameRateTarget)
  return typeof rate === 'number' && seconds !== undefined ? Math.round(seconds * rate) + 1 : undefined
}

function inputsOf(workflow: Json, node: string): JsonObject {
  return objectIn(objectIn(objectIn(workflow)[node])['inputs'])
}
