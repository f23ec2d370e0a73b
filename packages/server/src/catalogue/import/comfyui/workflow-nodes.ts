import { isObject } from '../../../lib/is-object.ts'
import { ImportError } from '../import-error.ts'
import { shortName } from '../resolve-schema.ts'

/** The nodes of a workflow in API format, by id. */
export type WorkflowNodes = ReadonlyMap<string, WorkflowNode>

export interface WorkflowNode {
  id: string
  type: string
  title: string
  /** The inputs by name. A value is a literal or a link `[node, output]`. */
  inputs: Readonly<Record<string, unknown>>
}

const nodesMax = 500
const typesMax = 200
/** Allowed characters of a node type. The node type becomes part of a request URL. */
const typePattern = /^[\p{L}\p{N}_ .|()+:/&-]{1,128}$/u

export function readWorkflowNodes(workflow: Readonly<Record<string, unknown>>): WorkflowNodes {
  if (Array.isArray(workflow['nodes'])) {
    throw new ImportError('The workflow is in the format of the editor; export it with Workflow > Export (API).')
  }
  const entries = Object.entries(workflow)
  if (entries.length === 0) throw new ImportError('The workflow has no nodes.')
  if (entries.length > nodesMax) throw new ImportError(`The workflow has more than ${nodesMax} nodes.`)
  const nodes = new Map(entries.map(([id, node]) => [id, readNode(id, node)]))
  if (nodeTypesOf(nodes).length > typesMax) throw new ImportError(`The workflow has more than ${typesMax} types of nodes.`)
  return nodes
}

function readNode(id: string, node: unknown): WorkflowNode {
  if (!/^[\w:-]{1,64}$/.test(id))
    throw new ImportError(
      `The workflow has a node with the id ${shortName(id)}, which must consist of letters, digits, colons, dashes and underscores.`,
    )
  const { class_type: type, inputs, _meta: meta } = isObject(node) ? node : {}
  if (typeof type !== 'string' || !isObject(inputs))
    throw new ImportError(`Node ${id} of the workflow must have class_type and inputs.`)
  if (!typePattern.test(type)) throw new ImportError(`Node ${id} of the workflow has the invalid type ${shortName(type)}.`)
  const title = isObject(meta) && typeof meta['title'] === 'string' ? meta['title'].slice(0, 200) : ''
  return { id, type, title, inputs }
}

/** The node types of a workflow, without duplicates. */
export function nodeTypesOf(nodes: WorkflowNodes): string[] {
  return [...new Set([...nodes.values()].map(({ type }) => type))]
}

/** Returns the node that an input is connected to, or undefined if it has a literal value. */
export function linkedNode(nodes: WorkflowNodes, value: unknown): WorkflowNode | undefined {
  const [id] = Array.isArray(value) ? (value as unknown[]) : []
  return typeof id === 'string' || typeof id === 'number' ? nodes.get(String(id)) : undefined
}
