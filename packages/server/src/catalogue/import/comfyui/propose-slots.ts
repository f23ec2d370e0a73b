import { isObject } from '../../../lib/is-object.ts'
import { ImportError } from '../import-error.ts'
import type { ImportNote } from '../imported-model.ts'
import { shortName } from '../resolve-schema.ts'
import { linkedNode, type WorkflowNode, type WorkflowNodes } from './workflow-nodes.ts'

/** An input of a node that receives the value of a parameter. */
export interface ProposedSlot {
  /**
   * The name of the parameter. If the driver derives the value from other parameters, the name of
   * the slot, such as `width`.
   */
  name: string
  node: string
  input: string
  title?: string
}

/**
 * Chooses the inputs that become parameters. If two sources name the same input or parameter, the
 * earlier source in this list takes precedence:
 *
 *   1. nodes whose title is `input:NAME`
 *   2. the list of App Mode, if the file of the editor was given
 *   3. marker nodes of ComfyUI Deploy
 *   4. well-known inputs, such as prompts, seed, size and images
 */
export function proposeSlots(
  nodes: WorkflowNodes,
  editorFile: Readonly<Record<string, unknown>> | null,
  notes: ImportNote[],
): ProposedSlot[] {
  const chosenSlots = [...titledSlots(nodes), ...appModeSlots(nodes, editorFile), ...markerSlots(nodes, notes)]
  const slots: ProposedSlot[] = []
  for (const slot of [...chosenSlots, ...knownSlots(nodes)]) {
    const isTaken = slots.some(
      (takenSlot) => (takenSlot.node === slot.node && takenSlot.input === slot.input) || takenSlot.name === slot.name,
    )
    if (!isTaken) slots.push(slot)
  }
  return slots
}

const titlePattern = /^input:([A-Za-z_][\w-]{0,63})(?:\.([A-Za-z_]\w{0,63}))?$/

/**
 * Slots from the titles of nodes. The title `input:cfg` names the literal input `cfg` of its node.
 * If there is none, it names the node's first literal input. The title `input:shift.value` names
 * the input `value` for the parameter `shift`.
 */
function titledSlots(nodes: WorkflowNodes): ProposedSlot[] {
  return [...nodes.values()].flatMap((node) => {
    const [, name, inputName] = titlePattern.exec(node.title) ?? []
    if (name === undefined) return []
    const literals = literalsOf(node)
    const input = inputName ?? (literals.includes(name) ? name : literals[0])
    if (input === undefined || !literals.includes(input)) {
      throw new ImportError(
        `Node ${node.id} is titled input:${name} and has no input with a value${inputName === undefined ? '' : ` named ${inputName}`}.`,
      )
    }
    return [{ name, node: node.id, input }]
  })
}

function literalsOf({ inputs }: WorkflowNode): string[] {
  return Object.keys(inputs).filter((name) => !Array.isArray(inputs[name]))
}

/**
 * Slots from `extra.linearData.inputs` of the editor's file. The entries are
 * `[node, input, config]`.
 */
function appModeSlots(nodes: WorkflowNodes, editorFile: Readonly<Record<string, unknown>> | null): ProposedSlot[] {
  const extra = isObject(editorFile?.['extra']) ? editorFile['extra'] : {}
  const data = isObject(extra['linearData']) ? extra['linearData'] : {}
  const listedEntries: unknown[] = Array.isArray(data['inputs']) ? data['inputs'].slice(0, 100) : []
  return listedEntries.flatMap((entry) => {
    const [id, input] = Array.isArray(entry) ? (entry as unknown[]) : []
    const node = nodes.get(String(id))
    if (node === undefined || typeof input !== 'string' || !literalsOf(node).includes(input)) return []
    return [{ name: parameterOf(nodes, node, input), node: node.id, input }]
  })
}

const markerPrefix = 'ComfyUIDeployExternal'

function markerSlots(nodes: WorkflowNodes, notes: ImportNote[]): ProposedSlot[] {
  return [...nodes.values()].flatMap((node) => {
    const { input_id: name, default_value: value, display_name: title } = node.inputs
    if (!node.type.startsWith(markerPrefix) || typeof name !== 'string') return []
    if (!/^[A-Za-z_][\w-]{0,63}$/.test(name) || value === undefined || Array.isArray(value)) {
      notes.push({
        field: shortName(name),
        message: `It was left out: node ${node.id} has no value to replace; use a node such as LoadImage.`,
      })
      return []
    }
    return [{ name, node: node.id, input: 'default_value', ...(typeof title === 'string' && { title }) }]
  })
}

/** Slots of well-known nodes whose inputs users usually set. */
function knownSlots(nodes: WorkflowNodes): ProposedSlot[] {
  return [...nodes.values()].flatMap((node) =>
    literalsOf(node).flatMap((input) => {
      const name = roleOf(nodes, node, input)
      return name === undefined ? [] : [{ name, node: node.id, input }]
    }),
  )
}

/**
 * Returns the parameter name for an input that the author of the workflow has chosen. If the input
 * has no known role, the parameter has the name of the input.
 */
function parameterOf(nodes: WorkflowNodes, node: WorkflowNode, input: string): string {
  return roleOf(nodes, node, input) ?? input.replaceAll(/[^\w-]/g, '_')
}

const roleByInput: Readonly<Record<string, string>> = {
  seed: 'seed',
  noise_seed: 'seed',
  steps: 'steps',
  cfg: 'guidance',
  guidance: 'guidance',
}

function roleOf(nodes: WorkflowNodes, node: WorkflowNode, input: string): string | undefined {
  const { type } = node
  if (['text', 'prompt', 'value', 'string'].includes(input) && typeof node.inputs[input] === 'string')
    return promptRole(nodes, node)
  if (type === 'LoadImage' && input === 'image') return 'image'
  if (/^(CreateVideo|VHS_VideoCombine|SaveWEBM|SaveAnimatedWEBP)$/.test(type) && /^(fps|frame_rate)$/.test(input))
    return 'frame_rate'
  const setsShape = /latent|ImageToVideo|ToVideo$|Flux2?Scheduler/i.test(type)
  if (setsShape && (input === 'width' || input === 'height')) return input
  if (setsShape && (input === 'length' || input === 'frames' || input === 'num_frames')) return 'frames'
  return Object.hasOwn(roleByInput, input) && typeof node.inputs[input] === 'number' ? roleByInput[input] : undefined
}

/**
 * Returns the parameter that a text node stands for: `prompt` if the node leads to a positive input
 * or to a conditioning, `negative_prompt` if it leads to a negative input. Returns undefined for
 * any other node.
 */
function promptRole(nodes: WorkflowNodes, text: WorkflowNode): string | undefined {
  for (const { inputs } of nodes.values()) {
    if (leadsFrom(nodes, inputs['positive'], text) || leadsFrom(nodes, inputs['conditioning'], text)) return 'prompt'
    if (leadsFrom(nodes, inputs['negative'], text)) return 'negative_prompt'
  }
  return undefined
}

/** Maximum number of nodes between a text and the node that it leads to. */
const stepsMax = 12

/** The links from which an output of a node receives its conditioning. */
function conditioningOf({ inputs }: WorkflowNode, output: unknown): unknown[] {
  const { positive, negative, conditioning, text, prompt } = inputs
  if (positive !== undefined && negative !== undefined) return [output === 1 ? negative : positive]
  return [positive, conditioning, text, prompt].filter((value) => Array.isArray(value))
}

/**
 * Whether a link leads back to `textNode`. Follows the conditioning through the nodes between the
 * text and the sampler.
 */
function leadsFrom(nodes: WorkflowNodes, link: unknown, textNode: WorkflowNode): boolean {
  let links: unknown[] = [link]
  for (let step = 0; step < stepsMax && links.length > 0; step++) {
    const reachedNodes = links.map((source) => ({
      node: linkedNode(nodes, source),
      output: Array.isArray(source) ? (source[1] as unknown) : 0,
    }))
    if (reachedNodes.some(({ node }) => node === textNode)) return true
    links = reachedNodes.flatMap(({ node, output }) => (node === undefined ? [] : conditioningOf(node, output))).slice(0, 16)
  }
  return false
}
