import { readPack } from '../catalogue/packs/packs.ts'
import { assembleModel } from '../catalogue/import/assemble-model.ts'
import { readComfyuiWorkflow } from '../catalogue/import/comfyui/comfyui-workflow.ts'
import { nodeTypesOf, readWorkflowNodes } from '../catalogue/import/comfyui/workflow-nodes.ts'
import { familyOf, readFalDocument } from '../catalogue/import/fal/fal-document.ts'
import { ImportError } from '../catalogue/import/import-error.ts'
import type { ImportedModel, ImportedObject } from '../catalogue/import/imported-model.ts'
import { modelOfOpenaiList, readOpenaiList } from '../catalogue/import/openai/openai-list.ts'
import { readCapabilityRow } from '../catalogue/import/openrouter/capability-row.ts'
import { readForeignJson } from '../catalogue/import/read-foreign-json.ts'
import { readReplicateDocument } from '../catalogue/import/replicate/replicate-document.ts'
import { readSharedModel } from '../catalogue/import/read-shared-model.ts'
import type { UpstreamDefinition } from '../routing/configuration/definitions.ts'
import {
  fetchFalDocument,
  fetchNodeTypes,
  fetchOpenaiList,
  fetchOpenrouterList,
  fetchReplicateDocument,
  fetchSharedFile,
  type FetchDependencies,
} from './fetch-documents.ts'
import type { ImportSource } from './import-source.ts'

/** Inputs of an import that a source may need in addition to its name. */
export interface ImportInputs {
  /** The kind of the model, for a source that does not show it. */
  object?: ImportedObject
  /** A ComfyUI workflow in API format. */
  workflow?: Readonly<Record<string, unknown>>
  /** The same workflow in the format of the ComfyUI editor. */
  editorFile?: Readonly<Record<string, unknown>>
  /** For a source `file:`: the model definition, sent by the operator or fetched from the URL. */
  document?: Readonly<Record<string, unknown>>
}

/** `choices` has the Model IDs of an upstream, for a source that names none of them. */
export type ConvertedSource = { model: ImportedModel } | { choices: readonly string[] }

/**
 * Fetches the documents of a source and converts them to a model, without saving it. Throws
 * `ImportError`.
 */
export async function convertSource(
  source: ImportSource,
  upstream: UpstreamDefinition | null,
  inputs: ImportInputs,
  dependencies: FetchDependencies,
  signal: AbortSignal,
): Promise<ConvertedSource> {
  if (source.kind === 'pack') return { model: readPack(source.name) }
  if (source.kind === 'file') return { model: readSharedModel(inputs.document ?? {}) }
  const target = requireUpstream(upstream)
  switch (source.kind) {
    case 'fal': {
      const documents = await Promise.all(
        source.endpoints.map((endpoint) => fetchFalDocument(dependencies, target, endpoint, signal)),
      )
      const endpoints = source.endpoints.map((endpoint, index) => readFalDocument(documents[index] ?? {}, endpoint))
      return {
        model: assembleModel(
          endpoints,
          suggestedIdOf(source.endpoints.length > 1 ? familyOf(source.endpoints[0] ?? '') : (source.endpoints[0] ?? '')),
        ),
      }
    }
    case 'replicate': {
      const documents = await Promise.all(
        source.models.map((model) => fetchReplicateDocument(dependencies, target, model, signal)),
      )
      const { object } = inputs
      if (object !== undefined && object !== 'image' && object !== 'video')
        throw new ImportError('Only sources of the form openai: can be imported as chat models.')
      const models = source.models.map((model, index) => readReplicateDocument(documents[index] ?? {}, model, object))
      return { model: assembleModel(models, suggestedIdOf(source.models[0]?.name ?? '')) }
    }
    case 'comfyui': {
      const { workflow, editorFile = null } = inputs
      if (workflow === undefined) throw new ImportError('A source of the form comfyui: needs the workflow in API format.')
      const nodeTypes = await fetchNodeTypes(dependencies, target, nodeTypesOf(readWorkflowNodes(workflow)), signal)
      return { model: readComfyuiWorkflow({ workflow, editorFile, nodeTypes, name: nameOfFile(source.name) }) }
    }
    case 'openai': {
      const listedModels = readOpenaiList(await fetchOpenaiList(dependencies, target, signal), target.name)
      if (source.model === null) return { choices: listedModels.map(({ id }) => id) }
      return { model: modelOfOpenaiList(listedModels, source.model, target.name, inputs.object) }
    }
    default:
      return { model: readCapabilityRow(await fetchOpenrouterList(dependencies, target, signal), source.model) }
  }
}

function requireUpstream(upstream: UpstreamDefinition | null): UpstreamDefinition {
  if (upstream === null) throw new ImportError('An import needs an upstream.')
  return upstream
}

/** Fetches the model definition of a source `file:` from its URL. */
export async function fetchShared(
  address: string,
  dependencies: FetchDependencies,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  if (!/^https?:\/\//.test(address)) {
    throw new ImportError('A source of the form file: needs an http or https URL, or the contents of the file.')
  }
  return readForeignJson(await fetchSharedFile(dependencies, address, signal), 'The definition')
}

/**
 * Converts an endpoint such as `fal-ai/kling-video/v3/pro` to an id without its owner, such as
 * `kling-video-v3-pro`.
 */
function suggestedIdOf(path: string): string {
  return path.split('/').slice(1).join('-').slice(0, 128)
}

function nameOfFile(path: string): string {
  const base = path.split(/[\\/]/).at(-1) ?? path
  return (
    base
      .replace(/(\.app)?\.json$/i, '')
      .replaceAll(/[^\w. -]/g, '-')
      .trim()
      .slice(0, 100) || 'workflow'
  )
}
