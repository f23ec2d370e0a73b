import { matchesSchema } from '../../definitions/matches-schema.ts'
import { readModelDocument } from '../../definitions/read-model-document.ts'
import { isPropertyName } from '../../definitions/read-parameter-schema.ts'
import { reservedFields } from '../../definitions/read-parameters.ts'
import { isSharedName } from '../../generation-parameters.ts'
import type { ParameterSchema } from '../../model.ts'
import { titleFromName, titleOf } from '../foreign-text.ts'
import { ImportError } from '../import-error.ts'
import type { ImportedModel, ImportNote } from '../imported-model.ts'
import { shortName } from '../resolve-schema.ts'
import { readInputSpec } from './input-spec.ts'
import { proposeSlots, type ProposedSlot } from './propose-slots.ts'
import { readWorkflowNodes, type WorkflowNodes } from './workflow-nodes.ts'

export interface ComfyuiSource {
  /** The workflow in API format. */
  workflow: Readonly<Record<string, unknown>>
  /**
   * The same workflow in the format of the editor, which contains the App Mode settings. Null if
   * the operator has not provided it.
   */
  editorFile: Readonly<Record<string, unknown>> | null
  /** The node types of the running server, by name. */
  nodeTypes: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  /** The name of the workflow's file without its extension. */
  name: string
}

/** Slots that are no parameters: the driver computes size and frames, and reads the frame rate. */
const derivedSlots = new Set(['width', 'height', 'frames', 'frame_rate'])
const seedMax = 2 ** 32 - 1
const promptCharactersMax = 5_000
/** Names that a parameter cannot have, because they have another meaning in requests. */
const reservedNames = new Set([...reservedFields, 'size', 'watermark', 'audio', 'resolution', 'aspect_ratio', 'seconds'])

/**
 * Slot names of `LoadImage` nodes. A node without a title has the name `image`, which `addImages`
 * replaces.
 */
const imageSlotNames = new Set(['image', 'first_frame', 'last_frame', 'reference_images'])

/** Converts a workflow with the node types of the server that will run it. */
export function readComfyuiWorkflow({ workflow, editorFile, nodeTypes, name }: ComfyuiSource): ImportedModel {
  const nodes = readWorkflowNodes(workflow)
  requireNodeTypes(nodes, nodeTypes)
  const object = objectOf(nodes)
  const notes: ImportNote[] = []
  const proposal = proposeSlots(nodes, editorFile, notes)
  const slots: Record<string, string> = {}
  const parameters: Record<string, ParameterSchema> = {}
  const images: ProposedSlot[] = []
  for (const slot of proposal) {
    if (imageSlotNames.has(slot.name) && nodes.get(slot.node)?.type === 'LoadImage') images.push(slot)
    else addSlot(slot, { object, nodes, nodeTypes, slots, parameters, notes })
  }
  for (const node of nodes.values()) {
    const isListed = images.some(({ node: id }) => id === node.id) || proposal.some(({ node: id }) => id === node.id)
    if (node.type === 'LoadImage' && !isListed) images.push({ name: 'image', node: node.id, input: 'image' })
  }
  const requiredNames = ['prompt']
  if (!('prompt' in parameters)) {
    throw new ImportError(
      'The workflow has no text that becomes the prompt; title its node input:prompt in the editor and export again.',
    )
  }
  addImages(images, object, slots, parameters, requiredNames)
  addShape(nodes, object, slots, parameters, notes)
  if (object === 'video') addLength(nodes, slots, parameters, notes)
  else {
    // Titles may have chosen these slots, but images have no length.
    delete slots['frames']
    delete slots['frame_rate']
  }
  return {
    suggestedId: name,
    object,
    title: titleOf(titleFromName(name)) ?? name,
    description: '',
    parameters,
    required: requiredNames,
    examples: [],
    routes: [{ label: 'workflow', upstreamModel: name, workflow, slots }],
    notes,
    priceHint: null,
    cover: null,
  }
}

function requireNodeTypes(nodes: WorkflowNodes, nodeTypes: ComfyuiSource['nodeTypes']): void {
  const missingNode = [...nodes.values()].find(({ type }) => !nodeTypes.has(type))
  if (missingNode === undefined) return
  throw new ImportError(
    `Node ${missingNode.id} is of the type ${shortName(missingNode.type)}, which the server does not have; install it there first.`,
  )
}

const videoNodeTypes = /^(SaveVideo|SaveWEBM|VHS_VideoCombine|SaveAnimatedWEBP|CreateVideo)$/
const imageNodeTypes = /^(SaveImage|SaveImageAdvanced|Image Save)$/

function objectOf(nodes: WorkflowNodes): 'image' | 'video' {
  const types = [...nodes.values()].map(({ type }) => type)
  if (types.some((type) => videoNodeTypes.test(type))) return 'video'
  if (types.some((type) => imageNodeTypes.test(type))) return 'image'
  throw new ImportError('The workflow has no node that saves a video or an image, such as SaveVideo or SaveImage.')
}

/** A workflow during its conversion. `addSlot` adds to `slots`, `parameters` and `notes`. */
interface ConversionContext extends Pick<ComfyuiSource, 'nodeTypes'> {
  object: 'image' | 'video'
  nodes: WorkflowNodes
  slots: Record<string, string>
  parameters: Record<string, ParameterSchema>
  notes: ImportNote[]
}

function addSlot(
  { name, node: id, input, title }: ProposedSlot,
  { object, nodes, nodeTypes, slots, parameters, notes }: ConversionContext,
): void {
  const node = nodes.get(id)
  const value = node?.inputs[input]
  const spec = node && readInputSpec(nodeTypes.get(node.type) ?? {}, input)
  const field = `${id}.${input}`
  const leaveOut = (reason: string): void => void notes.push({ field, message: `It was left out: ${reason}.` })
  if (derivedSlots.has(name)) {
    if (typeof value === 'number') slots[name] = field
    return
  }
  if (reservedNames.has(name)) return leaveOut(`${name} has another meaning in requests; choose another name`)
  const schema = spec?.kind === 'value' ? spec.schema : schemaOfLiteral(value)
  if (spec?.kind === 'file') return leaveOut('it takes a video or sound from the folder of the server')
  if (schema === undefined) return leaveOut('its node type does not say what values it takes')
  const parameterDocument = sharedForm(name, schema) ?? {
    ...schema,
    title: titleOf(title) ?? titleFromName(name),
    ...advancedOf(name),
    ...defaultOf(schema, value),
  }
  if (readModelDocument({ id: 'model', object, parameters: { [name]: parameterDocument } }).violations.length > 0) {
    if (isSharedName(name))
      return leaveOut(`it does not fit the shared parameter ${name}; choose another name, such as my_${name}`)
    if (!isPropertyName(name)) return leaveOut(`a parameter cannot be called ${name}; choose another name`)
    return leaveOut('its node type describes its values in a form that a model cannot have')
  }
  slots[name] = field
  parameters[name] = parameterDocument
}

/**
 * Returns the narrowed form of a shared parameter, or null if the parameter is the workflow's own.
 */
function sharedForm(name: string, { type, minimum }: ParameterSchema): ParameterSchema | null {
  if (name === 'prompt' || name === 'negative_prompt') return type === 'string' ? { maxLength: promptCharactersMax } : null
  if (name !== 'seed') return null
  return { minimum: Math.min(Math.max(0, minimum ?? 0), seedMax) }
}

function advancedOf(name: string): ParameterSchema {
  return name === 'text' ? {} : { 'x-advanced': true }
}

function schemaOfLiteral(value: unknown): ParameterSchema | undefined {
  if (typeof value === 'string') return { type: 'string', maxLength: 1_000 }
  if (typeof value === 'boolean') return { type: 'boolean' }
  if (typeof value !== 'number') return undefined
  return { type: Number.isInteger(value) ? 'integer' : 'number' }
}

/** The value in the workflow becomes the default if the schema accepts it. */
function defaultOf(schema: ParameterSchema, value: unknown): ParameterSchema {
  return value !== '' && matchesSchema(value, schema) ? { default: value } : {}
}

function addImages(
  images: readonly ProposedSlot[],
  object: 'image' | 'video',
  slots: Record<string, string>,
  parameters: Record<string, ParameterSchema>,
  required: string[],
): void {
  if (images.length === 0) return
  if (object === 'image' || images.length > 2 || images.some(({ name }) => name === 'reference_images')) {
    slots['reference_images'] = images.map(({ node, input }) => `${node}.${input}`).join(' ')
    parameters['reference_images'] = { minItems: images.length, maxItems: images.length }
    required.push('reference_images')
    return
  }
  const titledImages = images.filter(({ name }) => name !== 'image')
  const freeNames = ['first_frame', 'last_frame'].filter((name) => titledImages.every((image) => image.name !== name))
  for (const image of [...titledImages, ...images.filter(({ name }) => name === 'image')]) {
    const name = image.name === 'image' ? (freeNames.shift() ?? '') : image.name
    slots[name] = `${image.node}.${image.input}`
    parameters[name] = {}
    required.push(name)
  }
}

function numberAt(nodes: WorkflowNodes, target: string | undefined): number | undefined {
  const [id = '', input = ''] = target?.split(/\.(.*)/s) ?? []
  const value = nodes.get(id)?.inputs[input]
  return typeof value === 'number' ? value : undefined
}

const videoHeights = [480, 540, 720, 768, 1080]

function addShape(
  nodes: WorkflowNodes,
  object: 'image' | 'video',
  slots: Record<string, string>,
  parameters: Record<string, ParameterSchema>,
  notes: ImportNote[],
): void {
  const [width, height] = [numberAt(nodes, slots['width']), numberAt(nodes, slots['height'])]
  if (width === undefined || height === undefined) {
    delete slots['width']
    delete slots['height']
    if ('first_frame' in slots || 'reference_images' in slots) return
    throw new ImportError(
      'The workflow has no width and height that take a value, and no image that decides the shape of the result.',
    )
  }
  const side = Math.min(width, height)
  const nearestHeight = videoHeights.reduce((best, height) => (Math.abs(height - side) < Math.abs(best - side) ? height : best))
  const resolution = object === 'image' ? '1K' : `${nearestHeight}p`
  parameters['aspect_ratio'] = {}
  parameters['resolution'] = { enum: [resolution], default: resolution }
  notes.push({
    field: slots['width'] ?? '',
    message: `Width and height follow aspect_ratio at ${resolution}; those of the workflow were ${width} x ${height}.`,
  })
}

function addLength(
  nodes: WorkflowNodes,
  slots: Record<string, string>,
  parameters: Record<string, ParameterSchema>,
  notes: ImportNote[],
): void {
  const [frames, rate] = [numberAt(nodes, slots['frames']), numberAt(nodes, slots['frame_rate'])]
  if (frames === undefined || rate === undefined || rate <= 0) {
    delete slots['frames']
    delete slots['frame_rate']
    notes.push({
      field: 'seconds',
      message: 'The length is that of the workflow, because its nodes do not set both a number of frames and a frame rate.',
    })
    return
  }
  const seconds = Math.min(60, Math.max(1, Math.round((frames - 1) / rate)))
  parameters['seconds'] = { minimum: 1, maximum: Math.max(10, seconds), default: seconds }
}
